import { describe, expect, it } from '@jest/globals';
import { silentLogger } from './log.ts';
import { backoffPause, loop, repeatUntil } from './retry.ts';

const fast = { first: 1, most: 2 };

describe('backoffPause', () => {
  it('doubles up to its most, half of it by chance', () => {
    const of = (attempt: number): number => backoffPause(attempt, { first: 100, most: 1_000 });
    for (let round = 0; round < 100; round += 1) {
      expect(of(1)).toBeGreaterThanOrEqual(50);
      expect(of(1)).toBeLessThanOrEqual(100);
      expect(of(3)).toBeGreaterThanOrEqual(200);
      expect(of(50)).toBeGreaterThanOrEqual(500);
      expect(of(5_000)).toBeLessThanOrEqual(1_000);
    }
  });
});

describe('repeatUntil', () => {
  it('repeats until it succeeds', async () => {
    const result = await repeatUntil(
      async (attempt) => (attempt < 3 ? Promise.reject(new Error('no')) : attempt),
      fast,
    );
    expect(result).toBe(3);
  });

  it('gives up after its attempts with the last error', async () => {
    const failing = repeatUntil((attempt) => Promise.reject(new RangeError(String(attempt))), { ...fast, attempts: 4 });
    await expect(failing).rejects.toMatchObject({ constructor: RangeError, message: '4' });
  });

  it('does not repeat what must not be repeated', async () => {
    let attempts = 0;
    const failing = repeatUntil(async () => Promise.reject(new Error(String((attempts += 1)))), {
      ...fast,
      again: () => false,
    });
    await expect(failing).rejects.toThrow();
    expect(attempts).toBe(1);
  });

  it('ends in the middle of a pause when aborted', async () => {
    const stopping = new AbortController();
    const failing = repeatUntil(() => Promise.reject(new RangeError('no')), {
      first: 60_000,
      most: 60_000,
      signal: stopping.signal,
      failed: () => stopping.abort(),
    });
    await expect(failing).rejects.toThrow(RangeError);
  });
});

describe('loop', () => {
  it('never overlaps itself, and is awaited when stopped', async () => {
    const { promise: thrice, resolve } = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    let runs = 0;
    {
      await using counting = loop(
        'spec',
        0,
        async () => {
          running += 1;
          most = Math.max(most, running);
          await Promise.resolve();
          running -= 1;
          if ((runs += 1) === 3) resolve();
        },
        silentLogger,
      );
      counting.wake();
      await thrice;
    }
    const afterwards = runs;
    expect({ running, most }).toEqual({ running: 0, most: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(afterwards);
  });

  it('survives errors', async () => {
    const { promise: recovered, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    await using failing = loop(
      'spec',
      1,
      async () => {
        if ((runs += 1) === 1) throw new Error('once');
        resolve();
      },
      silentLogger,
    );
    failing.wake();
    await recovered;
    expect(runs).toBe(2);
  });

  it('asks the work under way to stop', async () => {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const waiting = loop(
      'spec',
      60_000,
      async (signal) => {
        resolve();
        await new Promise((stopped) => signal.addEventListener('abort', stopped));
      },
      silentLogger,
    );
    await started;
    await expect(waiting[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it('runs at once when woken', async () => {
    const second = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let runs = 0;
    await using sleepy = loop(
      'spec',
      3_600_000,
      async () => {
        runs += 1;
        (runs === 1 ? first : second).resolve();
      },
      silentLogger,
    );
    await first.promise;
    sleepy.wake();
    await second.promise;
    expect(runs).toBe(2);
  });

  it('runs once for several calls that wake it within a time', async () => {
    let [count, next] = [0, Promise.withResolvers<void>()];
    const run = next.promise;
    await using sleepy = loop('spec', 3_600_000, async () => {
      count += 1;
      next.resolve();
      next = Promise.withResolvers();
    }, silentLogger);
    await run;
    for (const expected of [2, 3]) {
      const { promise } = next;
      for (let call = 0; call < 5; call += 1) sleepy.wake(20);
      await promise;
      expect(count).toBe(expected);
    }
  });

  it('pauses for as long as the run says', async () => {
    const second = Promise.withResolvers<void>();
    let count = 0;
    await using _pausing = loop('spec', 3_600_000, async () => {
      if ((count += 1) === 2) second.resolve();
      return 1;
    }, silentLogger);
    await second.promise;
    expect(count).toBe(2);
  });
});
