import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A metrics backend of a spec that records its requests. */
export interface TestBackend extends AsyncDisposable {
  /** The URL has a path and a query. */
  readonly url: string;
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** Handles requests; may be replaced. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Uses this handler while `act` runs. */
  during<Result>(handle: TestBackend['handle'], act: () => Promise<Result>): Promise<Result>;
}

export async function startBackend(): Promise<TestBackend> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { method = '', url = '', headers } = request;
      backend.seen.push({ method, url, headers, body: body.toString() });
      backend.handle(request, response);
    }, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const backend: TestBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prom?x=1`, seen: [],
    handle: (_, response) => {
      response.setHeader('Set-Cookie', 'a=b').setHeader('Content-Type', 'application/json').end('{"status":"success"}');
    },
    during: async (handle, act) => {
      const usual = backend.handle;
      backend.handle = handle;
      try {
        return await act();
      } finally {
        backend.handle = usual;
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return backend;
}
