import { describe, expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { createFlights } from './flights.ts';

/** Passes that end when told, in order. */
function passes() {
  const started: PromiseWithResolvers<boolean>[] = [];
  const settle = createFlights(() => {
    const pass = Promise.withResolvers<boolean>();
    started.push(pass);
    return pass.promise;
  });
  return { started, settle };
}

describe('passes over one organization', () => {
  it('never overlap, and who comes during one gets a whole one of his own', async () => {
    const { started, settle } = passes();
    const first = settle(1, deadlineIn(60_000));
    const second = settle(1, deadlineIn(60_000));
    const third = settle(1, deadlineIn(60_000));
    expect(started).toHaveLength(1);
    started[0]!.resolve(true);
    expect(await first).toBe(true);
    await new Promise(setImmediate);
    expect(started).toHaveLength(2);
    started[1]!.resolve(false);
    expect(await Promise.all([second, third])).toEqual([false, false]);
    expect(started).toHaveLength(2);
  });

  it('go side by side for different organizations', async () => {
    const { started, settle } = passes();
    const both = [settle(1, deadlineIn(60_000)), settle(2, deadlineIn(60_000))];
    expect(started).toHaveLength(2);
    started.forEach((pass) => pass.resolve(true));
    expect(await Promise.all(both)).toEqual([true, true]);
  });

  it('start anew after one has failed', async () => {
    const { started, settle } = passes();
    const first = settle(1, deadlineIn(60_000));
    started[0]!.reject(new Error('engine away'));
    expect(await first).toBe(false);
    const second = settle(1, deadlineIn(60_000));
    await new Promise(setImmediate);
    started[1]!.resolve(true);
    expect(await second).toBe(true);
  });

  it('are waited for no longer than the deadline', async () => {
    const { settle } = passes();
    expect(await settle(1, deadlineIn(20))).toBe(false);
  });
});
