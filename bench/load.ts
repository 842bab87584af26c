import { Agent, request } from 'node:http';

/** Requests of one side, in turn. */
export interface Load {
  requests: number;
  connections: number;
  /** The n-th request. */
  next: (n: number) => { method?: string; url: string; headers?: Record<string, string>; body?: string };
  /** Statuses that count as answered. */
  expect: number;
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
      const given = load.next(sent++);
      const status = await exchange(agent, given);
      if (status !== load.expect) throw new Error(`${given.method ?? 'GET'} ${given.url} answered ${status}`);
      latencies.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
  agent.destroy();
  return { latencies: latencies.sort((a, b) => a - b), wallMs: performance.now() - begun };
}

function exchange(agent: Agent, given: ReturnType<Load['next']>): Promise<number> {
  const { method = 'GET', url, headers = {}, body } = given;
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, method, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode!));
    });
    call.once('error', reject);
    call.end(body);
  });
}
