import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Answers that replace the true answers to checks and reads. */
export interface EngineLie {
  /** Body of the answer; without it, the true answer is cut in the middle. */
  readonly text?: string;
  /** Default 200. */
  readonly status?: number;
  /** Default JSON. */
  readonly type?: string;
  /** Whether writes get this answer too, without being done; default false. */
  readonly writes?: boolean;
}

/** A server in front of OpenFGA that can replace its answers. Disposing stops it. */
export interface LyingEngine extends AsyncDisposable {
  readonly url: string;
  /** Sets the answer from now on; a string is a body with status 200. Undefined restores the true answers. */
  lie(lie: string | EngineLie | undefined): void;
}

/** @param target URL of the true engine */
export async function lyingEngine(target: string): Promise<LyingEngine> {
  let told: EngineLie | undefined;

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const [, call] = /\/(batch-check|read|write)$/.exec(request.url ?? '') ?? [];
    const lie = call !== undefined && (call !== 'write' || told?.writes === true) ? told : undefined;
    const { text, status = 200, type = 'application/json' } = lie ?? {};
    if (text !== undefined) {
      response.writeHead(status, { 'content-type': type }).end(text);
      return;
    }
    try {
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method!,
        headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const truth = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'content-type': type, 'content-length': truth.length });
      if (lie === undefined) response.end(truth);
      else response.write(truth.subarray(0, truth.length / 2), () => response.destroy());
    } catch {
      // The true engine is unavailable, so break this connection too.
      response.destroy();
    }
  }

  const server = createServer((request, response) => void relay(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (lie) => {
      told = typeof lie === 'string' ? { text: lie } : lie;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
