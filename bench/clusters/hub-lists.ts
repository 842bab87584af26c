// Counts the managed clusters and the cluster sets of a hub at each request. Reads page by page, as the platform does.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openApi } from '@platform/lab';
import { paths } from './paths.ts';

type Page = { readonly items: readonly unknown[]; readonly metadata: { readonly continue?: string } };

const hub = await openApi(process.argv[2]!);

async function count(path: string): Promise<number> {
  let items = 0;
  for (let more = ''; ;) {
    const page = await hub.call('GET', `${path}?limit=500${more}`) as Page;
    items += page.items.length;
    if (!page.metadata.continue) return items;
    more = `&continue=${encodeURIComponent(page.metadata.continue)}`;
  }
}

const server = createServer((_request, response) => {
  Promise.all([count(paths.sets), count(paths.clusters)]).then((counts) => {
    response.end(JSON.stringify(counts));
  }, (error: unknown) => {
    response.writeHead(500).end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
