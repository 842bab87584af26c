import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake of a dashboard answers instead, from the next request on. */
export type Trouble = number | 'hang' | 'cut' | 'nonsense';

/** A server of a spec that speaks HTTP. */
export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  /** Method and path of each request, oldest first. */
  readonly requests: string[];
  /** Answers so from the request after the next `after` ones on, until it is undefined again. */
  trouble(trouble: Trouble | undefined, after?: number): void;
}

export interface FakeReply {
  readonly status: number;
  readonly json?: unknown;
}

export type FakeHandler = (
  request: IncomingMessage, path: string, body: Record<string, unknown>,
) => FakeReply | Promise<FakeReply>;

/** Serves JSON by a handler, and trouble on demand. */
export async function fakeServer(handle: FakeHandler): Promise<FakeServer> {
  let next: { trouble: Trouble; after: number } | undefined;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    const trouble = next !== undefined && next.after === 0 ? next.trouble : undefined;
    if (next !== undefined && next.after > 0) next.after -= 1;
    if (trouble === 'hang') return;
    if (trouble === 'cut') return void response.destroy();
    if (typeof trouble === 'number') return answer(response, { status: trouble, json: { message: 'a secret text' } });
    if (trouble === 'nonsense') return void response.writeHead(200).end('<html>');
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    answer(response, await handle(request, path, body));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A spec that fails before it disposes of the fake ends all the same.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    trouble: (trouble, after = 0) => {
      next = trouble === undefined ? undefined : { trouble, after };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, { status, json }: FakeReply): void {
  const text = json === undefined ? '' : JSON.stringify(json);
  response.writeHead(status, text === '' ? {} : { 'Content-Type': 'application/json' }).end(text);
}
