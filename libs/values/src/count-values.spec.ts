import { expect, it } from '@jest/globals';
import { countValues } from './count-values.ts';

it.each([
  ['5', 0], ['[]', 1], ['[{},{},{}]', 6], ['{"a":1,"b":[2,3]}', 4], ['["a,b"]', 2],
])('%s has %i beginnings and separators of values', (json, count) => {
  const bytes = Buffer.from(json);
  expect(countValues(bytes)).toBe(count);
  expect(countValues(bytes.subarray(0, 3)) + countValues(bytes.subarray(3))).toBe(count);
});
