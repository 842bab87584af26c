import { describe, expect, it } from '@jest/globals';
import { outageOf, until, WaitedTooLong } from './until.ts';

describe('until', () => {
  it('answers what the condition answers once it is true', async () => {
    let asked = 0;
    const answer = await until(() => (++asked < 4 ? undefined : `asked ${asked}`), { what: 'asked four times' });
    expect(answer).toBe('asked 4');
  });

  it('takes a condition that throws for one that is not true yet', async () => {
    let asked = 0;
    const condition = (): boolean => {
      asked += 1;
      if (asked < 3) throw new Error('not yet');
      return true;
    };
    await expect(until(condition, { what: 'it stops throwing' })).resolves.toBe(true);
  });

  it('gives up at the limit and keeps what the condition threw last', async () => {
    const cause = new Error('never');
    const waiting = until(() => Promise.reject(cause), { within: 30, what: 'pigs fly' });
    await expect(waiting).rejects.toThrow(WaitedTooLong);
    await expect(waiting).rejects.toMatchObject({ cause });
  });

  it('asks a last time at the limit, so a slow condition is not cut short', async () => {
    const end = performance.now() + 40;
    await expect(until(() => performance.now() >= end, { within: 40, what: 'time passes' })).resolves.toBe(true);
  });
});

it('an outage lasts as long as it is to', async () => {
  const begun = performance.now();
  await outageOf(40);
  // Timers have a resolution of whole milliseconds.
  expect(performance.now() - begun).toBeGreaterThan(39);
});
