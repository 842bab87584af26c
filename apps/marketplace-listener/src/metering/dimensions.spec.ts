import { expect, it } from '@jest/globals';
import { dimensionOf, unitsOf } from './dimensions.ts';

const coreMinute = 1_000_000_000n * 60_000_000n;
const gibMinute = coreMinute * 2n ** 30n;

it('counts core-minutes and GiB-minutes of each product', () => {
  expect(dimensionOf('productdb', 'cpu')).toBe('productdb_cpu_core_minutes');
  expect(dimensionOf('productvault', 'memory')).toBe('productvault_memory_gib_minutes');
  expect(unitsOf(dimensionOf('productdb', 'cpu'), 90n * coreMinute)).toBe(90n);
  expect(unitsOf(dimensionOf('productdb', 'memory'), 90n * gibMinute)).toBe(90n);
});

it.each([
  [0n, 0n], [coreMinute / 2n - 1n, 0n], [coreMinute / 2n, 0n], [coreMinute / 2n + 1n, 1n],
  [coreMinute + coreMinute / 2n, 2n], [2n * coreMinute + coreMinute / 2n, 2n], [10n ** 40n, 10n ** 40n / coreMinute + 1n],
])('rounds %s half-even to %s', (amount, expected) => {
  expect(unitsOf('productdb_cpu_core_minutes', amount)).toBe(expected);
});
