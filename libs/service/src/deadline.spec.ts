import { describe, expect, it } from '@jest/globals';
import { DeadlineExceeded, deadlineIn, refuseOver, remaining, shrink, whenOver, within } from './deadline.ts';

const never = new Promise<never>(() => undefined);

describe('deadlines', () => {
  it('tell what is left, never less than nothing', () => {
    expect(remaining(deadlineIn(1_000))).toBeGreaterThan(900);
    expect(remaining(deadlineIn(1_000))).toBeLessThanOrEqual(1_000);
    expect(remaining(deadlineIn(-5))).toBe(0);
  });

  it('have nothing left in their last millisecond', () => {
    expect(remaining(deadlineIn(0.9))).toBe(0);
    expect(() => refuseOver(deadlineIn(0.9), 'it')).toThrow(DeadlineExceeded);
  });

  it('have nothing left once a timer has fired for them', async () => {
    const deadlines = Array.from({ length: 50 }, (_, index) => deadlineIn(5 + index / 10));
    const left = await Promise.all(deadlines.flatMap((deadline) => [
      new Promise((resolve) => void whenOver(deadline, () => resolve(remaining(deadline)))),
      new Promise((resolve) => deadline.signal.addEventListener('abort', () => resolve(remaining(deadline)))),
      within(deadline, never, 'it').catch(() => remaining(deadline)),
    ]));
    expect(new Set(left)).toEqual(new Set([0]));
  });

  it.each([Infinity, -Infinity, NaN])('are not %d ms from now', (milliseconds) => {
    expect(() => deadlineIn(milliseconds)).toThrow(new RangeError(`a deadline cannot be ${milliseconds} ms from now`));
  });

  it('shrink from hop to hop by a tenth, at most 100 ms', () => {
    expect(remaining(shrink(deadlineIn(10_000)))).toBeLessThanOrEqual(9_900);
    expect(remaining(shrink(deadlineIn(10_000)))).toBeGreaterThan(9_800);
    expect(remaining(shrink(deadlineIn(100)))).toBeLessThanOrEqual(90);
    expect(remaining(shrink(deadlineIn(10_000), 500))).toBeLessThanOrEqual(500);
  });

  it('abort their signal when they pass', async () => {
    const { signal } = deadlineIn(10);
    expect(signal.aborted).toBe(false);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.aborted).toBe(true);
  });

  it('have nothing left when the caller has given up, through every hop', () => {
    const caller = new AbortController();
    const deadline = shrink(deadlineIn(10_000, caller.signal));
    expect(() => refuseOver(deadline, 'it')).not.toThrow();
    caller.abort();
    expect(remaining(deadline)).toBe(0);
    expect(() => refuseOver(deadline, 'it')).toThrow(DeadlineExceeded);
  });

  it('abort their signal when the caller gives up, through every hop', () => {
    const caller = new AbortController();
    const { signal } = shrink(shrink(deadlineIn(10_000, caller.signal)));
    caller.abort();
    expect(signal.aborted).toBe(true);
  });
});

describe('whenOver', () => {
  it('calls once when the deadline passes', async () => {
    let calls = 0;
    await new Promise<void>((resolve) => void whenOver(deadlineIn(5), () => {
      calls += 1;
      resolve();
    }));
    expect(calls).toBe(1);
  });

  it('calls at once when the caller gives up, through every hop, and not again', () => {
    const caller = new AbortController();
    let calls = 0;
    whenOver(shrink(deadlineIn(60_000, caller.signal)), () => {
      calls += 1;
    });
    caller.abort();
    caller.signal.dispatchEvent(new Event('abort'));
    expect(calls).toBe(1);
  });

  it('does not call what was stopped', () => {
    const caller = new AbortController();
    let calls = 0;
    whenOver(deadlineIn(60_000, caller.signal), () => {
      calls += 1;
    })();
    caller.abort();
    expect(calls).toBe(0);
  });
});

describe('within', () => {
  it('answers what comes in time', async () => {
    await expect(within(deadlineIn(1_000), Promise.resolve(7), 'it')).resolves.toBe(7);
    await expect(within(deadlineIn(1_000), Promise.reject(new RangeError('no')), 'it')).rejects.toThrow(RangeError);
  });

  it('names what did not come', async () => {
    await expect(within(deadlineIn(5), never, 'the engine')).rejects.toMatchObject({
      constructor: DeadlineExceeded,
      what: 'the engine',
    });
  });
});
