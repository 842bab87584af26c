import { expect, it } from '@jest/globals';
import { until } from '../until.ts';
import { whileUsed } from './while-used.ts';

/** Makes numbered values, and records when a value is disposed. */
function numbered(idleMs: number) {
  const disposed: number[] = [];
  let last = 0;
  const value = whileUsed(idleMs, async () => {
    const number = (last += 1);
    return { number, [Symbol.asyncDispose]: async () => void disposed.push(number) };
  });
  return { value, disposed };
}

it('is shared by its users, disposed after them, and made again for the next one', async () => {
  await using stack = new AsyncDisposableStack();
  const { value, disposed } = numbered(1);
  stack.use(value);
  expect(await Promise.all([value.use(), value.use()])).toMatchObject([{ number: 1 }, { number: 1 }]);
  value.leave();
  value.leave();
  await until(() => disposed.length === 1, { what: 'the value is disposed' });
  expect(await value.use()).toMatchObject({ number: 2 });
  await value[Symbol.asyncDispose]();
  expect(disposed).toEqual([1, 2]);
});

it('stays while somebody uses it, and for a user who comes soon after the last one', async () => {
  const { value, disposed } = numbered(60_000);
  await value.use();
  value.leave();
  expect(await value.use()).toMatchObject({ number: 1 });
  expect(disposed).toEqual([]);
  await value[Symbol.asyncDispose]();
  expect(disposed).toEqual([1]);
});

it('is made again after a failure', async () => {
  let failures = 1;
  const value = whileUsed(60_000, async () => {
    if (failures-- > 0) throw new Error('it does not start');
    return { [Symbol.asyncDispose]: async () => undefined };
  });
  await expect(value.use()).rejects.toThrow('it does not start');
  await value.use();
  await value[Symbol.asyncDispose]();
});
