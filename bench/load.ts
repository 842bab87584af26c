import { Agent } from 'node:http';
import { type Asked, exchange, closedLoop } from '@platform/testing';

/** The requests of one side. */
export interface Load {
  requests: number;
  connections: number;
  /** The n-th request. */
  next: (n: number) => Asked;
  /** The status of a successful answer. */
  expect: number;
  /** Throws if the n-th answer is wrong. */
  check?: (n: number, body: string) => void;
}

export interface LoadResult {
  /** Latencies in ms, ascending. */
  latencies: number[];
  wallMs: number;
}

/** Sends the requests, one at a time on each connection. @throws Error for an unexpected status or a wrong answer */
export async function run(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const latencies: number[] = [];
  let sent = 0;
  const begun = performance.now();
  await closedLoop(load.connections, () => sent < load.requests, async () => {
    const at = performance.now();
    const n = sent++;
    const given = load.next(n);
    const { status, body } = await exchange(agent, given);
    if (status !== load.expect) throw new Error(`${given.method ?? 'GET'} ${given.url} answered ${status}: ${body}`);
    latencies.push(performance.now() - at);
    load.check?.(n, body);
  });
  agent.destroy();
  return { latencies: latencies.sort((a, b) => a - b), wallMs: performance.now() - begun };
}
