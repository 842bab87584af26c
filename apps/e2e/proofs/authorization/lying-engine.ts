import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** OpenFGA behind a server that can answer something else in its place. Dispose it to end it. */
export interface LyingEngine extends AsyncDisposable {
  readonly url: string;
  /** Answers every check and read with this, with status 200; undefined tells the truth again. */
  lie(text: string | undefined): void;
}

/** @param target URL of the true engine */
export async function lyingEngine(target: string): Promise<LyingEngine> {
  let told: string | undefined;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const lies = told !== undefined && /\/(?:batch-check|read)$/.test(request.url ?? '');
    try {
      const answer = lies ? undefined : await fetch(`${target}${request.url}`, {
        method: request.method!,
        headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const text = answer === undefined ? told : await answer.text();
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' }).end(text);
    } catch {
      // The true engine is away: so is this one.
      response.destroy();
    }
  }

  const server = createServer((request, response) => void relay(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (text) => {
      told = text;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
