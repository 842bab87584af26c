import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { type ClusterConnection, openCluster } from './connection.ts';

const mebibyte = 'x'.repeat(1024 * 1024);

it.each<[string, string, RequestListener]>([
  ['never ends', 'BAD_UPSTREAM', (_, response) => {
    const more = (): void => void (response.destroyed || response.write(mebibyte, more));
    more();
  }],
  ['has more values than fit into memory', 'BAD_UPSTREAM', (_, response) => {
    response.end(`{"items":[${'{},'.repeat(1_000_000)}{}]}`);
  }],
  ['stops in the middle', 'DEADLINE_EXCEEDED', (_, response) => void response.write('{"items":[')],
])('an answer of a cluster that %s is refused with %s', async (_, reason, answer) => {
  await using cluster = await clusterThat(answer);
  const asked = cluster.get('/api/v1/pods', {}, deadlineIn(reason === 'DEADLINE_EXCEEDED' ? 300 : 50_000));
  await expect(asked).rejects.toMatchObject({ reason });
});

it.each([[1, 2], [2, 2]])('a read is sent again, once, when its connection is reset: %i resets', async (resets, expected) => {
  let asked = 0;
  await using cluster = await clusterThat((request, response) => {
    asked += 1;
    if (asked <= resets) request.socket.resetAndDestroy();
    else response.end('{"items":[]}');
  });
  const reading = cluster.get('/api/v1/pods', {}, deadlineIn(10_000));
  if (resets === 1) expect((await reading).body).toEqual({ items: [] });
  else await expect(reading).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(asked).toBe(expected);
});

it('a change is sent once, also when its connection is reset', async () => {
  let asked = 0;
  await using cluster = await clusterThat((request) => {
    asked += 1;
    request.socket.resetAndDestroy();
  });
  const created = cluster.call(CoreV1Api, (api) => api.createNamespace({ body: { metadata: { name: 'any' } } }), deadlineIn(10_000));
  await expect(created).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(asked).toBe(1);
});

async function clusterThat(answer: RequestListener): Promise<ClusterConnection> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'any', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  const cluster = openCluster({ config, server: address });
  return {
    ...cluster,
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}
