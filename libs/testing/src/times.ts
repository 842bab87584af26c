import { appendFileSync } from 'node:fs';

/** Names the file that gathers what a run spends its time on; unset, nothing is noted. */
export const timesVariable = 'PLATFORM_TEST_TIMES';

/** What a spec file waits for, beside the work of its cases. */
export type TimeKind = 'loading' | 'server' | 'process' | 'opening' | 'waiting' | 'stopping';

/** One line of that file. Times are milliseconds since 1970, so that those of several processes compare. */
export interface TimeSpan {
  readonly kind: TimeKind;
  readonly what: string;
  /** The process that waited: a worker of jest. */
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}

/** Shorter waits cost more to note than they tell. */
const shortestMs = 5;

/** Does the work and notes how long it took, for the report at the end of `npm test`. */
export async function timed<Result>(kind: TimeKind, what: string, work: () => Promise<Result>): Promise<Result> {
  const from = timeNow();
  try {
    return await work();
  } finally {
    noteTime(kind, what, from);
  }
}

/** Notes a span that ends now. */
export function noteTime(kind: TimeKind, what: string, from: number): void {
  const file = process.env[timesVariable];
  const to = timeNow();
  if (file === undefined || to - from < shortestMs) return;
  const span: TimeSpan = { kind, what, pid: process.pid, from, to };
  appendFileSync(file, `${JSON.stringify(span)}\n`);
}

/** Not `Date.now()`, which a spec may replace. */
export function timeNow(): number {
  return performance.timeOrigin + performance.now();
}
