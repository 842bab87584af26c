import { setTimeout as pause } from 'node:timers/promises';
import { timed } from './times.ts';

interface UntilOptions {
  /** Time limit of the wait in milliseconds; default 20,000. */
  readonly within?: number;
  /** Maximum pause between two checks in milliseconds, for checks that are expensive; default 100. */
  readonly every?: number;
  /** Description of the condition, to complete "waited 20000 ms until …". */
  readonly what: string;
}

/** A condition did not become true in time. `cause` is its last error, if any. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

const firstPause = 5;
const longestPause = 100;

/**
 * Checks a condition repeatedly until its result is truthy, and returns the result. An error counts as not true yet.
 * Pauses grow from 5 ms to `every`; the condition is checked at least twice.
 * @throws WaitedTooLong
 */
export function until<Value>(condition: () => Value | Promise<Value>, options: UntilOptions): Promise<Truthy<Value>> {
  return timed('waiting', options.what, () => truthy(condition, options));
}

type Truthy<Value> = Exclude<Awaited<Value>, false | 0 | '' | null | undefined>;

async function truthy<Value>(
  condition: () => Value | Promise<Value>, { within = 20_000, every = longestPause, what }: UntilOptions,
): Promise<Truthy<Value>> {
  const end = performance.now() + within;
  let between = firstPause;
  let cause: unknown;
  for (;;) {
    // The limit is checked before the condition, so that the last check happens at the limit or later.
    const last = performance.now() >= end;
    try {
      const value = await condition();
      cause = undefined;
      if (value) return value as Truthy<Value>;
    } catch (error) {
      cause = error;
    }
    if (last) throw new WaitedTooLong(`waited ${within} ms until ${what}`, { cause });
    await pause(Math.max(0, Math.min(between, end - performance.now())));
    between = Math.min(between * 2, every);
  }
}

/** Waits while an outage lasts and calls are tried. No condition could replace this wait: the duration is tested. */
export function outageOf(milliseconds: number): Promise<void> {
  return timed('waiting', 'an outage', () => pause(milliseconds));
}
