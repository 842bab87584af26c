import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { until } from '@platform/testing';
import { beginPeak, peakMemory } from '../../load/resident-memory.ts';
import type { Host, RunningPlatform } from '../../platform.ts';
import type { Attacked, Prepared, Target } from './targets.ts';

/** Cost of requests in the process in which they cost most. */
export interface Cost {
  /** Size of one request. */
  readonly bytes: number;
  /** CPU time of one request, in milliseconds. */
  readonly cpuMs: number;
  /** Growth of the resident memory while all requests were in progress, in bytes. */
  readonly grownBytes: number;
  /** The distinct outcomes. */
  readonly outcomes: readonly string[];
}

/** Number of equal requests in progress at the same time. */
const batch = 4;
/** Growth that is not caused by a request: the heap of a process varies this much. */
const memoryFloor = 64 * 1024 * 1024;

/** The last lines of the log of a process that has ended. */
const shownLines = 40;

/** Whether the kernel reports the CPU time and the peak memory of each process. Linux does. */
export const canMeasure = existsSync('/proc/self/schedstat') && existsSync('/proc/self/clear_refs');

/** Sends a batch of equal requests. A process's own work in the meantime is included; it is small. */
export async function costOf(
  { bytes, send }: Prepared, services: readonly (Host | 'gateway')[], platform: RunningPlatform,
): Promise<Cost> {
  const before = services.map((service) => {
    const { pid, log } = platform.services[service].replicas[0];
    if (!existsSync(`/proc/${pid}`)) throw new Error([`${service} has ended`, ...log.slice(-shownLines)].join('\n'));
    return { pid, peak: beginPeak(pid), cpu: cpuOf(pid) };
  });
  const outcomes = await Promise.all(Array.from({ length: batch }, send));
  const costs = before.map(({ pid, peak, cpu }) => ({
    cpuMs: (cpuOf(pid) - cpu) / batch, grownBytes: (peakMemory(pid) - peak) * 1024 * 1024,
  }));
  return {
    bytes,
    cpuMs: Math.max(...costs.map(({ cpuMs }) => cpuMs)),
    grownBytes: Math.max(...costs.map(({ grownBytes }) => grownBytes)),
    outcomes: [...new Set(outcomes)],
  };
}

/** Bytes of memory per byte sent. */
export const memoryRatio = ({ bytes, grownBytes }: Cost) => Math.max(0, grownBytes - memoryFloor) / (bytes * batch);

/** Restarts the processes of a target: memory that they already have hides further allocation, and they may be busy. */
export async function restart({ services }: Target, { platform, tokens }: Attacked): Promise<void> {
  for (const service of services) await platform.services[service].replicas[0].restart();
  const asOwner = platform.http.with({ authorization: `Bearer ${tokens.owner}` });
  await until(async () => (await asOwner.get('/api/v1/orgs/acme/teams')).status === 200, {
    within: 60_000, what: 'the platform answers again',
  });
}

/** CPU time of all threads of a process, in milliseconds. */
function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
    } catch {
      // The thread has ended meanwhile.
    }
  }
  return nanoseconds / 1e6;
}
