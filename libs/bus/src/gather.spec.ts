import { expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { gather } from './gather.ts';

/** A gatherer whose calls end only when the spec ends them. */
function held() {
  const calls: { readonly batch: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const batches = gather<number>((batch) => new Promise((resolve, reject) => {
    calls.push({ batch, end: (error) => (error === undefined ? resolve() : reject(error)) });
  }), (batch) => batch.length >= 2);
  return { batches, calls, passed: () => calls.map(({ batch }) => batch) };
}

it('passes on what has arrived after a while, or at once when it is flushed', async () => {
  const { batches, calls, passed } = held();
  batches.add(1);
  batches.add(2);
  expect(passed()).toEqual([]);
  await until(() => passed().length === 1, { what: 'the batch is passed on' });
  calls[0]!.end();
  batches.add(3);
  await batches.flush();
  expect(passed()).toEqual([[1, 2], [3]]);
});

it('passes on three batches at once, and gathers until the next one is full or one of them has ended', async () => {
  const { batches, calls, passed } = held();
  for (const item of [1, 2, 3, 4]) {
    batches.add(item);
    await batches.flush();
  }
  batches.add(5);
  let isFlushed = false;
  const flushed = batches.flush().then(() => (isFlushed = true));
  await new Promise(setImmediate);
  expect([passed(), isFlushed]).toEqual([[[1], [2], [3]], false]);
  calls[1]!.end();
  await flushed;
  expect(passed()).toEqual([[1], [2], [3], [4, 5]]);
  for (const { end } of calls) end();
  await batches[Symbol.asyncDispose]();
});

it('flushing throws the first error, also when nothing is left to pass on', async () => {
  const { batches, calls } = held();
  batches.add(1);
  await batches.flush();
  calls[0]!.end(new Error('it failed'));
  await batches[Symbol.asyncDispose]();
  await expect(batches.flush()).rejects.toThrow('it failed');
});

it('waits for its calls when it is disposed', async () => {
  const { batches, calls } = held();
  batches.add(1);
  await batches.flush();
  let isDisposed = false;
  const disposed = batches[Symbol.asyncDispose]().then(() => (isDisposed = true));
  await new Promise(setImmediate);
  expect(isDisposed).toBe(false);
  calls[0]!.end();
  await disposed;
});
