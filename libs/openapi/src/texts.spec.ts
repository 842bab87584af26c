import { expect, it } from '@jest/globals';
import { readerText } from './texts.ts';

it.each([
  ['Lists teams (spec §4.13, open-points 3.5).', 'Lists teams.'],
  ['The order is fixed in spec §2.4. It never changes.', 'The order is fixed. It never changes.'],
])('leaves references out of "%s", and keeps the end of the sentence', (comment, text) => {
  expect(readerText(comment)).toBe(text);
});
