import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A metrics backend of a spec that notes what it is asked. */
export interface TestBackend extends AsyncDisposable {
  /** With a path and a query of its own. */
  readonly url: string;
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** Answers; what it is may be changed. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers so while something is done. */
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prom?x=1`,
    seen: [],
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
