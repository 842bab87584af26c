import { expect, it } from '@jest/globals';
import { DeadlineExceeded, deadlineIn } from '@platform/service';
import { createQueue } from './queue.ts';

it('runs work one after the other, in the order in which it came, also after a failure', async () => {
  const queue = createQueue('the queue', 9);
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue(deadlineIn(10_000), async () => {
    events.push('first begins');
    await gate.promise;
    events.push('first ends');
    throw new RangeError('no');
  });
  const second = queue(deadlineIn(10_000), async () => {
    events.push('second');
    return 2;
  });
  gate.resolve();
  await expect(first).rejects.toThrow(RangeError);
  await expect(second).resolves.toBe(2);
  expect(events).toEqual(['first begins', 'first ends', 'second']);
});

it('refuses what would be too much, and takes work again later', async () => {
  const queue = createQueue('the queue', 2);
  const gate = Promise.withResolvers<void>();
  const held = [1, 2].map(() => queue(deadlineIn(10_000), () => gate.promise));
  await expect(queue(deadlineIn(10_000), () => Promise.resolve())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  gate.resolve();
  await Promise.all(held);
  await expect(queue(deadlineIn(10_000), () => Promise.resolve('done'))).resolves.toBe('done');
});

it('skips work that nobody waits for any more', async () => {
  const queue = createQueue('the queue', 9);
  const [gate, left] = [Promise.withResolvers<void>(), new AbortController()];
  let ran = false;
  const first = queue(deadlineIn(10_000), () => gate.promise);
  const second = queue(deadlineIn(10_000, left.signal), () => {
    ran = true;
    return Promise.resolve();
  });
  left.abort();
  gate.resolve();
  await first;
  await expect(second).rejects.toThrow(DeadlineExceeded);
  expect(ran).toBe(false);
});
