import { setTimeout as pause } from 'node:timers/promises';

import { timed } from './times.ts';

export interface UntilOptions {
  /** Milliseconds after which the wait is over; default 20,000. */
  readonly within?: number;
  /** Most milliseconds between two questions, where a question costs much; default 100. */
  readonly every?: number;
  /** What is waited for, to complete "waited 20000 ms until …". */
  readonly what: string;
}

/** A condition did not come true in time; `cause` is what it threw last, if it threw. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

const firstPause = 5;
const longestPause = 100;

/**
 * Asks again and again until the condition answers something truthy, and answers that. A condition that throws is not
 * true yet. Pauses grow from 5 ms to `every`; the condition is asked at least twice.
 *
 * @throws WaitedTooLong
 */
export function until<Value>(
  condition: () => Value | Promise<Value>,
  options: UntilOptions,
): Promise<Truthy<Value>> {
  return timed('waiting', options.what, () => truthy(condition, options));
}

type Truthy<Value> = Exclude<Awaited<Value>, false | 0 | '' | null | undefined>;

async function truthy<Value>(
  condition: () => Value | Promise<Value>,
  { within = 20_000, every = longestPause, what }: UntilOptions,
): Promise<Truthy<Value>> {
  const end = performance.now() + within;
  let between = firstPause;
  let cause: unknown;
  for (;;) {
    // Decided before asking: the last answer is one given at the limit or later.
    const last = performance.now() >= end;
    try {
      const value = await condition();
      cause = undefined;
      if (value) {
        return value as Truthy<Value>;
      }
    } catch (error) {
      cause = error;
    }
    if (last) {
      throw new WaitedTooLong(`waited ${within} ms until ${what}`, { cause });
    }
    await pause(Math.max(0, Math.min(between, end - performance.now())));
    between = Math.min(between * 2, every);
  }
}

/**
 * Lets an outage last so many milliseconds from now, also while calls are tried: its length is the figure, so there is
 * no condition to wait for.
 */
export function outageOf(milliseconds: number): Promise<void> {
  return timed('waiting', 'an outage', () => pause(milliseconds));
}
