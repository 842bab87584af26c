import { describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded, onBehalfOf } from '@platform/service';
import { createSignatures } from './signatures.ts';

const soon = () => deadlineIn(5_000);

describe('signatures of licences', () => {
  it('are bounded by account, by what a request takes, and free again when it ends', async () => {
    const signatures = createSignatures();
    const gate = Promise.withResolvers<void>();
    const reserve = (party: string, count: number) =>
      onBehalfOf(party, () => signatures.reserve(count, async () => gate.promise));
    const waiting = [reserve('a', 200), reserve('a', 200)];
    await expect(reserve('a', 1)).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    waiting.push(reserve('b', 200));
    gate.resolve();
    await Promise.all(waiting);
    await expect(reserve('a', 400)).resolves.toBeUndefined();
  });

  it('are taken in turns by accounts', async () => {
    const signatures = createSignatures();
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    const sign = (name: string) => onBehalfOf(name[0]!, () => signatures.take(soon(), async () => {
      await gate.promise;
      done.push(name);
    }));
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map(sign);
    gate.resolve();
    await Promise.all(all);
    expect(done.indexOf('b1')).toBeLessThan(done.indexOf('a4'));
  });

  it('stop with their caller', async () => {
    const signatures = createSignatures();
    const caller = new AbortController();
    const deadline = deadlineIn(5_000, caller.signal);
    let signed = 0;
    const signing = signatures.reserve(200, async () => {
      for (let count = 0; count < 200; count += 1) {
        await signatures.take(deadline, async () => {
          signed += 1;
          if (signed === 3) caller.abort();
        });
      }
    });
    await expect(signing).rejects.toBeInstanceOf(DeadlineExceeded);
    expect(signed).toBe(3);
  });
});
