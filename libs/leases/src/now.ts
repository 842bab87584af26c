import type { Moment } from './rules.ts';

/** Reads both clocks of this process. */
export function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}
