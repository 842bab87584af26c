import { expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { gather } from './gather.ts';

/** A gatherer whose calls end only when the spec ends them. */
function held() {
  const calls: { readonly batch: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const batches = gather<number>((batch) => new Promise((resolve, reject) => {
    calls.push({ batch, end: (error) => (error === undefined ? resolve() : reject(error)) });
  }));
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

it('passes on two batches at once, and the next one when one of them has ended', async () => {
  const { batches, calls, passed } = held();
  batches.add(1);
  await batches.flush();
  batches.add(2);
  const flushed = batches.flush();
  batches.add(3);
  await until(() => passed().length === 2, { what: 'the second batch is passed on' });
  const again = batches.flush();
  batches.add(4);
  await new Promise(setImmediate);
  expect(passed()).toEqual([[1], [2]]);
  calls[1]!.end();
  await until(() => passed().length === 3, { what: 'the third batch is passed on' });
  expect(passed()[2]).toEqual([3, 4]);
  calls[0]!.end();
  await Promise.all([flushed, again]);
  calls[2]!.end();
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
