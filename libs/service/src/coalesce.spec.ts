import { describe, expect, it } from '@jest/globals';
import { coalesce } from './coalesce.ts';

/** Coalesces runs that only the spec ends. `started` contains the runs in the order of their starts. */
function runs() {
  const started: PromiseWithResolvers<string>[] = [];
  const call = coalesce((_key: number) => {
    const run = Promise.withResolvers<string>();
    started.push(run);
    return run.promise;
  });
  return { started, call };
}

describe('coalesced calls', () => {
  it('with one key never overlap; those that arrive during a run share the next', async () => {
    const { started, call } = runs();
    const calls = [call(1), call(1), call(1)];
    expect(started).toHaveLength(1);
    started[0]!.resolve('first');
    expect(await calls[0]).toBe('first');
    await new Promise(setImmediate);
    expect(started).toHaveLength(2);
    started[1]!.resolve('second');
    expect(await Promise.all(calls.slice(1))).toEqual(['second', 'second']);
    expect(started).toHaveLength(2);
  });

  it('with different keys run side by side', async () => {
    const { started, call } = runs();
    const both = [call(1), call(2)];
    expect(started).toHaveLength(2);
    started.forEach((run) => run.resolve('done'));
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });

  it('run after one that failed, whether they arrived during it or later', async () => {
    const { started, call } = runs();
    const [first, second] = [call(1), call(1)];
    started[0]!.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await new Promise(setImmediate);
    started[1]!.resolve('done');
    expect(await second).toBe('done');
    await new Promise(setImmediate);
    const third = call(1);
    started[2]!.resolve('again');
    expect(await third).toBe('again');
  });
});
