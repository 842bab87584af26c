import { expect, it } from '@jest/globals';
import { isDue } from './licence.ts';

const day = 86_400_000;
const licence = (days: number) =>
  ({ id: '1', pem: '', clusterUid: '', features: [], notBefore: 0, notAfter: days * day });

it.each([
  [7, 4.6, false], [7, 4.7, true], [7, 8, true], [365, 361.9, false], [365, 362.1, true], [1, 0.6, false], [1, 0.7, true],
])('a licence for %s days is due after %s: %s', (days, after, due) => {
  expect(isDue(licence(days), after * day)).toBe(due);
});
