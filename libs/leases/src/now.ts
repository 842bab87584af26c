import type { Moment } from './rules.ts';

/** Both clocks of this process. */
export function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}
