import { Agent, request } from 'node:http';

/** Requests of one side, in turn. */
export interface Load {
  requests: number;
  connections: number;
  /** The n-th request. */
  next: (n: number) => Asked;
  /** Statuses that count as answered. */
  expect: number;
  /** Throws when the n-th answer is not what it must be. */
  check?: (n: number, body: string) => void;
}

export interface Asked {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface LoadResult {
  /** Latencies in ms, ascending. */
  latencies: number[];
  wallMs: number;
}

/** Sends the requests over kept connections, one after the other on each. Any other status ends the bench. */
export async function run(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const latencies: number[] = [];
  let sent = 0;
  const begun = performance.now();
  const connection = async (): Promise<void> => {
    while (sent < load.requests) {
      const at = performance.now();
      const n = sent++;
      const given = load.next(n);
      const { status, body } = await exchange(agent, given);
      if (status !== load.expect) throw new Error(`${given.method ?? 'GET'} ${given.url} answered ${status}: ${body}`);
      latencies.push(performance.now() - at);
      load.check?.(n, body);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
  agent.destroy();
  return { latencies: latencies.sort((a, b) => a - b), wallMs: performance.now() - begun };
}

/** One request over a connection of the agent. */
export function exchange(agent: Agent, given: Asked): Promise<{ status: number; body: string }> {
  const { method = 'GET', url, headers = {}, body } = given;
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }));
    });
    call.once('error', reject);
    call.end(body);
  });
}
