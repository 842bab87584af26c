import { appendFileSync } from 'node:fs';

/** Variable with the path of the file that collects the times of a run; if unset, no times are recorded. */
export const timesVariable = 'PLATFORM_TEST_TIMES';

/** Kinds of time that a spec file spends besides the work of its test cases. */
export type TimeKind = 'loading' | 'server' | 'process' | 'opening' | 'waiting' | 'stopping';

/** One line of the file of times. Times are milliseconds since 1970, to compare times of several processes. */
export interface TimeSpan {
  readonly kind: TimeKind;
  readonly what: string;
  /** The waiting process: a jest worker. */
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}

/** Shorter waits are not recorded, because recording would cost more than it tells. */
const shortestMs = 5;

/** Runs the work and records its duration for the report at the end of `npm test`. */
export async function timed<Result>(kind: TimeKind, what: string, work: () => Promise<Result>): Promise<Result> {
  const from = timeNow();
  try {
    return await work();
  } finally {
    noteTime(kind, what, from);
  }
}

/** Records a time span that ends now. */
export function noteTime(kind: TimeKind, what: string, from: number): void {
  const file = process.env[timesVariable];
  const to = timeNow();
  if (file === undefined || to - from < shortestMs) return;
  appendFileSync(file, `${JSON.stringify({ kind, what, pid: process.pid, from, to } satisfies TimeSpan)}\n`);
}

/** Not `Date.now()`, because a spec may replace it. */
export function timeNow(): number {
  return performance.timeOrigin + performance.now();
}
