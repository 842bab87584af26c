import { type Agent, request } from 'node:http';

/** A request of a load test. Only the headers that HTTP requires are added. */
export interface Asked {
  /** Default `GET`. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as sent; with the header Transfer-Encoding, it must already consist of chunks. */
  readonly body?: string | Uint8Array;
  /** Time limit of the whole exchange in milliseconds; default: no limit. */
  readonly within?: number;
}

export interface Told {
  readonly status: number;
  readonly body: string;
}

/** Makes one request over a connection of the agent, with as little processor time in this process as possible. */
export function exchange(agent: Agent, { method = 'GET', url, headers = {}, body, within }: Asked): Promise<Told> {
  const limit = within === undefined ? {} : { signal: AbortSignal.timeout(within) };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method, headers, ...limit }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }));
    });
    call.once('error', reject);
    if (headers['transfer-encoding'] !== undefined) {
      call.flushHeaders();
      // Otherwise Node would wrap the whole body into one more chunk.
      call.chunkedEncoding = false;
    }
    call.end(body);
  });
}

/** A closed loop: each client makes its next call as soon as its previous one is answered, until the loop ends. */
export async function closedLoop(clients: number, goesOn: () => boolean, call: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: clients }, async () => {
    while (goesOn()) await call();
  }));
}

/** Returns a quantile (share 0 to 1) of ascending values; 0 if there are no values. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}
