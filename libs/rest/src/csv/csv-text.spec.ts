import { expect, it } from '@jest/globals';
import { csvText } from './csv-text.ts';

it.each([
  // csv-stringify 6.9.0 itself quotes only values that contain the line break of its rows.
  ['a\nb', '"a\nb"'], ['a\rb', '"a\rb"'], ['a\r\nb', '"a\r\nb"'], ['a,b', '"a,b"'], ['a"b', '"a""b"'],
  ['=1', "'=1"], ['\r=1', '"\'\r=1"'], ['a b', 'a b'],
])('%j is written as %j (RFC 4180)', (text, written) => {
  expect(csvText([[text]])).toBe(`${written}\r\n`);
});
