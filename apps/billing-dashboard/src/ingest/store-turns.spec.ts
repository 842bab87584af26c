import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { createStoreTurns } from './store-turns.ts';

/** Calls that begin when their turn has come, and end when the spec ends them. */
function held() {
  const turns = createStoreTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, isLate: boolean) => turns(deadlineIn(10_000), isLate, () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  });
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { begun, run, end };
}

it('stores two batches at once, in the order of the calls', async () => {
  const { begun, run, end } = held();
  const all = ['first', 'second', 'third'].map((name) => run(name, false));
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  expect(begun).toEqual(['first', 'second', 'third']);
  for (const name of ['first', 'third']) await end(name);
  await Promise.all(all);
});

it('stores a batch with late events alone, after the batches before it and before those behind it', async () => {
  const { begun, run, end } = held();
  const all = [run('before', false), run('late', true), run('later', true), run('behind', false)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['before']);
  await end('before');
  expect(begun).toEqual(['before', 'late']);
  await end('late');
  expect(begun).toEqual(['before', 'late', 'later']);
  await end('later');
  expect(begun).toEqual(['before', 'late', 'later', 'behind']);
  await end('behind');
  await Promise.all(all);
});
