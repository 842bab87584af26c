import { expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

it('sources take turns', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  await Promise.all(works.map((work) => turns.run(work[0]!, () => done.push(work))));
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(await turns.run('a', () => 'again')).toBe('again');
});

it('others get the event loop between two pieces of work', async () => {
  const turns = new Turns();
  const done: string[] = [];
  await Promise.all(['first', 'second'].map((name) => turns.run('a', () => {
    done.push(name);
    setImmediate(() => done.push(`others after ${name}`));
  })));
  expect(done).toEqual(['first', 'others after first', 'second']);
});

it('work that throws takes its turn', async () => {
  const turns = new Turns();
  const failing = turns.run('a', () => {
    throw new RangeError('no');
  });
  const next = turns.run('a', () => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
