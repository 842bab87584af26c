import { describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded } from './deadline.ts';
import { Unavailable } from './failure.ts';
import { createLimiter, onBehalfOf } from './limiter.ts';

const soon = () => deadlineIn(2_000);

describe('a limiter', () => {
  it('runs so many at once, the others in order', async () => {
    const limiter = createLimiter(2, 'the turn');
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const starts = gates.map(() => Promise.withResolvers<void>());
    const begun: number[] = [];
    const all = gates.map((gate, index) => limiter.run(soon(), async () => {
      begun.push(index);
      starts[index]!.resolve();
      await gate.promise;
    }));
    await starts[1]!.promise;
    expect(begun).toEqual([0, 1]);
    gates[1]!.resolve();
    await starts[2]!.promise;
    expect(begun).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(limiter.idle).toBe(true);
  });

  it('lets go of one who waited too long, and of work that failed', async () => {
    const limiter = createLimiter(1, 'the turn');
    const gate = Promise.withResolvers<void>();
    const first = limiter.run(soon(), () => gate.promise);
    await expect(limiter.run(deadlineIn(20), async () => 'late')).rejects.toBeInstanceOf(DeadlineExceeded);
    const failing = limiter.run(soon(), () => Promise.reject(new RangeError('no')));
    gate.resolve();
    await first;
    await expect(failing).rejects.toBeInstanceOf(RangeError);
    expect(await limiter.run(soon(), async () => 'in time')).toBe('in time');
    expect(limiter.idle).toBe(true);
  });

  it('begins no work for one who has left, also when a place is free', async () => {
    const caller = new AbortController();
    const deadline = deadlineIn(2_000, caller.signal);
    caller.abort();
    const limiter = createLimiter(1, 'the turn');
    await expect(limiter.run(deadline, async () => 'done')).rejects.toBeInstanceOf(DeadlineExceeded);
    expect(limiter.idle).toBe(true);
  });

  it('lets parties take turns, and the work of one go in order', async () => {
    const limiter = createLimiter(1, 'the turn');
    const leave = await limiter.enter(soon());
    const done: string[] = [];
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((work) =>
      onBehalfOf(work[0]!, () => limiter.run(soon(), async () => void done.push(work))));
    expect(limiter.waiting).toBe(7);
    leave();
    await Promise.all(all);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect([limiter.waiting, limiter.idle]).toEqual([0, true]);
  });

  it('refuses a party of which too much waits, and no other', async () => {
    const limiter = createLimiter(1, 'the turn', 1);
    const leave = await limiter.enter(soon());
    const run = (party: string) => onBehalfOf(party, () => limiter.run(soon(), async () => party));
    const waiting = run('a');
    await expect(run('a')).rejects.toBeInstanceOf(Unavailable);
    const other = run('b');
    leave();
    expect(await Promise.all([waiting, other])).toEqual(['a', 'b']);
    expect(await run('a')).toBe('a');
  });

  it('forgets those who give up, and passes nobody over for them', async () => {
    const limiter = createLimiter(1, 'the turn');
    const leave = await limiter.enter(soon());
    const done: string[] = [];
    const gone = new AbortController();
    const waits = (work: string, cancelled?: AbortSignal) =>
      onBehalfOf(work[0]!, () => limiter.run(deadlineIn(2_000, cancelled), async () => void done.push(work)));
    const abandoned = ['a1', 'b1', 'c1'].map((work) => waits(work, gone.signal));
    const kept = ['a2', 'd1', 'a3', 'b2'].map((work) => waits(work));
    gone.abort();
    for (const one of abandoned) await expect(one).rejects.toBeInstanceOf(DeadlineExceeded);
    await expect(waits('e1', gone.signal)).rejects.toBeInstanceOf(DeadlineExceeded);
    expect(limiter.waiting).toBe(4);
    leave();
    await Promise.all(kept);
    expect(done).toEqual(['a2', 'b2', 'd1', 'a3']);
    expect([limiter.waiting, limiter.idle]).toEqual([0, true]);
  });
});
