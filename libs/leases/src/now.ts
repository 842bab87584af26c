import type { Moment } from './rules.ts';

/** Reads the monotonic clock and the wall clock. */
export function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}
