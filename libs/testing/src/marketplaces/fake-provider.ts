import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../sockets.ts';

/**
 * The treatment of a request: `hang` never answers; `lose` executes the request and loses the answer; a status answers
 * with an error of the provider.
 */
export type ProviderTrouble = 'hang' | 'lose' | 'nonsense' | 500 | 429;

/** Chooses the treatment of a request; undefined for normal service. */
type ChooseTrouble = (request: IncomingMessage) => ProviderTrouble | undefined;

export interface FakeProvider extends AsyncDisposable {
  readonly url: string;
  /** Changes the treatment of requests from now on. */
  trouble(choose: ChooseTrouble): void;
}

export interface ProviderReply {
  readonly status: number;
  readonly json?: unknown;
}

/** @param refusals the provider's own errors by status */
export async function fakeProvider(
  handle: (request: IncomingMessage, body: string) => ProviderReply,
  refusals: Readonly<Record<500 | 429, unknown>>,
): Promise<FakeProvider> {
  let choose: ChooseTrouble = () => undefined;
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const trouble = choose(request);
    if (trouble === 'hang') return;
    if (trouble === 'nonsense') return void response.writeHead(200).end('<html>');
    if (trouble === 500 || trouble === 429) return answer(response, { status: trouble, json: refusals[trouble] });
    const reply = handle(request, Buffer.concat(chunks).toString('utf8'));
    if (trouble === 'lose') return void response.destroy();
    answer(response, reply);
  }

  const url = `http://${await listen(server)}`;
  server.unref();
  return {
    url,
    trouble: (chosen) => void (choose = chosen),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, { status, json }: ProviderReply): void {
  const text = json === undefined ? '' : JSON.stringify(json);
  response.writeHead(status, text === '' ? {} : { 'Content-Type': 'application/json' }).end(text);
}
