import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A wrong answer of a fake dashboard. The fake answers normally again once the trouble is disposed of. */
export type Trouble = number | 'hang' | 'hold' | 'cut' | 'nonsense' | 'list';

/** Selects the requests that get the wrong answer. */
export interface TroubledRequests {
  /** Requests with one of these texts in path or body; all requests if absent. */
  readonly about?: readonly string[];
  /** Number of matching requests that are answered normally first; default 0. */
  readonly after?: number;
}

/** A wrong answer that lasts until it is disposed of. */
export interface OngoingTrouble extends Disposable {
  /** Number of requests that got the wrong answer. */
  readonly met: number;
}

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  /** Method and path of each request, oldest first. */
  readonly requests: string[];
  /** Gives this wrong answer from now on. */
  trouble(trouble: Trouble, requests?: TroubledRequests): OngoingTrouble;
}

export interface FakeReply {
  readonly status: number;
  readonly json?: unknown;
}

export type FakeHandler = (
  request: IncomingMessage, path: string, body: Record<string, unknown>,
) => FakeReply | Promise<FakeReply>;

/** Serves JSON from a handler, and wrong answers on demand. */
export async function fakeServer(handle: FakeHandler): Promise<FakeServer> {
  interface Ongoing {
    readonly trouble: Trouble;
    readonly about: readonly string[] | undefined;
    readonly ended: PromiseWithResolvers<void>;
    left: number;
    met: number;
  }
  const troubles = new Set<Ongoing>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    const text = Buffer.concat(chunks).toString('utf8');
    const ongoing = troubleOf(`${path} ${text}`);
    const trouble = ongoing?.trouble;
    if (trouble === 'hang') return;
    if (trouble === 'hold') await ongoing!.ended.promise;
    if (trouble === 'cut') return void response.destroy();
    if (typeof trouble === 'number') return answer(response, { status: trouble, json: { message: 'a secret text' } });
    if (trouble === 'nonsense') return void response.writeHead(200).end('<html>');
    if (trouble === 'list') return answer(response, { status: 200, json: [] });
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    answer(response, await handle(request, path, body));
  }

  function troubleOf(text: string): Ongoing | undefined {
    for (const ongoing of troubles) {
      if (ongoing.about?.some((word) => text.includes(word)) === false) continue;
      ongoing.left -= 1;
      if (ongoing.left >= 0) continue;
      ongoing.met += 1;
      return ongoing;
    }
    return undefined;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Lets the process end even if a spec fails before it disposes of the fake.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests,
    trouble: (trouble, { about, after = 0 } = {}) => {
      const ongoing: Ongoing = { trouble, about, ended: Promise.withResolvers(), left: after, met: 0 };
      troubles.add(ongoing);
      return Object.assign(ongoing, {
        [Symbol.dispose]: () => {
          troubles.delete(ongoing);
          ongoing.ended.resolve();
        },
      });
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
