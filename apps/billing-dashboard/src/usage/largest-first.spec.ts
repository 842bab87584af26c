import { expect, it } from '@jest/globals';
import { LargestFirst, largestFirst } from './largest-first.ts';

const characters = ['\0', '-', 'a', 'b', '\u00fd', '\u00fe', '\u00ff', '\u0101', '\u0200', '\ud83d', '\uffff'];

it('rows of the same memory are ordered by their keys, with any characters', () => {
  const texts = characters.flatMap((one) => characters.flatMap((other) =>
    ['', one, one + other, `same-${one}${other}`, `longer-${one}${other}`]));
  const rows = texts.map((key) => ({ key }));
  const shown = largestFirst(rows, () => 1n, ({ key }) => key).map(({ key }) => key).toArray();
  expect(shown).toEqual(texts.toSorted());
});

it('the largest memory comes first, then the key, then what decides between equal keys', () => {
  const rows = [[1n, 'a', 1], [2n, 'b', 2], [2n, 'b', 1], [2n, 'a', 9], [3n, 'z', 1]] as const;
  const ordered = new LargestFirst<(typeof rows)[number]>(([, key]) => key, ([, , owner]) => owner);
  for (const row of rows) ordered.add(row, row[0], row[1]);
  expect(ordered.size).toBe(5);
  expect([...ordered.inOrder()]).toEqual([rows[4], rows[3], rows[2], rows[1], rows[0]]);
});
