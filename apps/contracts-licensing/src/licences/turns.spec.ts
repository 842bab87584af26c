import { expect, it } from '@jest/globals';
import { createTurns } from './turns.ts';

it('acts that share an id run one after the other, and the others at once', async () => {
  const turns = createTurns();
  const log: string[] = [];
  const gates = new Map(['a', 'b', 'c', 'd'].map((name) => [name, Promise.withResolvers<void>()]));
  const act = (name: string, ids: number[]) => turns.take(ids, async () => {
    log.push(name);
    await gates.get(name)!.promise;
  });
  const acts = [act('a', [1, 2]), act('b', [2, 3]), act('c', [3, 3]), act('d', [4])];
  await Promise.resolve().then(() => undefined);
  gates.get('d')!.resolve();
  await acts[3];
  expect(log).toEqual(['a', 'd']);
  for (const name of ['a', 'b', 'c']) gates.get(name)!.resolve();
  await Promise.all(acts);
  expect(log).toEqual(['a', 'd', 'b', 'c']);
});

it('an act that fails ends its turn', async () => {
  const turns = createTurns();
  const failing = turns.take([1], () => Promise.reject(new Error('no')));
  const next = turns.take([1], () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});

it('a turn lasts until what follows the act is over, for others only', async () => {
  const turns = createTurns();
  const committed = Promise.withResolvers<void>();
  const log: string[] = [];
  const act = (name: string) => async () => void log.push(name);
  await turns.take([1], act('a'), () => committed.promise);
  const next = turns.take([1], act('b'));
  await turns.take([2], act('c'));
  committed.resolve();
  await next;
  expect(log).toEqual(['a', 'c', 'b']);
});
