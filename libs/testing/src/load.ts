import { type Agent, request } from 'node:http';

/** A request as a load sends it: nothing is added to it but what HTTP needs. */
export interface Asked {
  /** `GET` when left out. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is sent: in chunks where a header says so. */
  readonly body?: string | Uint8Array;
  /** Milliseconds for the whole exchange; no limit when left out. */
  readonly within?: number;
}

export interface Told {
  readonly status: number;
  readonly body: string;
}

/** One request over a connection of the agent, for as little time of the asking process as can be. */
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
      // Node would make a chunk of the whole.
      call.chunkedEncoding = false;
    }
    call.end(body);
  });
}

/** A closed loop: each client makes its next call as soon as its last one was answered, for as long as it goes on. */
export async function closedLoop(clients: number, goesOn: () => boolean, call: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: clients }, async () => {
    while (goesOn()) await call();
  }));
}

/** What a share (0 to 1) of ascending values does not exceed; 0 when there are none. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}
