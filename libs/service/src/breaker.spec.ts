import { describe, expect, it } from '@jest/globals';
import { createBreaker } from './breaker.ts';

function breaker() {
  const clock = { now: 0 };
  return { clock, breaker: createBreaker({ most: 2, pauseMs: 5_000, now: () => clock.now }) };
}

describe('a breaker', () => {
  it('refuses calls after failures in a row, and says for how long', () => {
    const { clock, breaker: one } = breaker();
    one.failed();
    expect(one.refusal()).toBeUndefined();
    one.failed();
    clock.now = 1_500;
    expect(one.refusal()).toBe(4);
  });

  it('counts failures in a row only', () => {
    const { breaker: one } = breaker();
    one.failed();
    one.succeeded();
    one.failed();
    expect(one.refusal()).toBeUndefined();
  });

  it('lets one call try the server after the pause, and closes when it succeeds', () => {
    const { clock, breaker: one } = breaker();
    one.failed();
    one.failed();
    clock.now = 5_000;
    expect(one.refusal()).toBeUndefined();
    expect(one.refusal()).toBe(5);
    one.succeeded();
    expect(one.refusal()).toBeUndefined();
  });

  it('is open again when the attempt fails', () => {
    const { clock, breaker: one } = breaker();
    one.failed();
    one.failed();
    clock.now = 7_000;
    expect(one.refusal()).toBeUndefined();
    one.failed();
    clock.now = 11_000;
    expect(one.refusal()).toBe(1);
  });
});
