import { describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded } from './deadline.ts';
import { createLimiter } from './limiter.ts';

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
});
