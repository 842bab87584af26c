import { describe, expect, it } from '@jest/globals';
import { runInOrder, sorted, type Step } from './start-order.ts';

describe('runInOrder', () => {
  it('begins a step once all it comes after are done, and not before', async () => {
    const events: string[] = [];
    const step = (name: string, ...after: string[]): Step => ({
      name,
      after,
      run: async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} is done`);
      },
    });

    await runInOrder([step('gateway', 'authz', 'orgs'), step('authz', 'postgres'), step('orgs', 'postgres'),
      step('postgres')], new AbortController().signal);

    const at = (event: string): number => events.indexOf(event);
    expect(events).toHaveLength(8);
    expect(at('postgres is done')).toBeLessThan(at('authz begins'));
    expect(at('orgs begins')).toBeLessThan(at('authz is done'));
    expect(Math.max(at('authz is done'), at('orgs is done'))).toBeLessThan(at('gateway begins'));
  });

  it('aborts what is under way at the first failure, waits for it, and throws that failure', async () => {
    const failure = new Error('no disk');
    let ended = false;
    const slow: Step = {
      name: 'slow',
      after: [],
      run: (signal) => new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new Error('aborted'));
        });
      }),
    };
    const never: Step = { name: 'never', after: ['slow'], run: () => Promise.reject(new Error('must not begin')) };
    const bad: Step = { name: 'bad', after: [], run: () => Promise.reject(failure) };

    await expect(runInOrder([slow, never, bad], new AbortController().signal)).rejects.toBe(failure);
    expect(ended).toBe(true);
  });

  it('begins nothing when it is aborted already', async () => {
    const begun: string[] = [];
    const reason = new Error('interrupted');
    const step: Step = { name: 'one', after: [], run: () => Promise.resolve(begun.push('one')) };

    await expect(runInOrder([step], AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(begun).toEqual([]);
  });
});

describe('sorted', () => {
  it('refuses a ring and an unknown name', () => {
    expect(() => sorted([{ name: 'a', after: ['b'] }, { name: 'b', after: ['a'] }])).toThrow(RangeError);
    expect(() => sorted([{ name: 'a', after: ['nobody'] }])).toThrow(RangeError);
  });
});
