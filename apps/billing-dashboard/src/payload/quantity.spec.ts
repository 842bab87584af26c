import { describe, expect, it } from '@jest/globals';
import { readQuantity } from './quantity.ts';

describe('a quantity', () => {
  it.each<[unknown, bigint]>([
    ['500m', 500_000_000n], ['2Gi', 2n * 2n ** 30n * 10n ** 9n], ['1e3', 1_000n * 10n ** 9n], ['0', 0n], ['-0', 0n],
    ['1.5', 1_500_000_000n], ['.5', 500_000_000n], ['5.', 5_000_000_000n], ['1n', 1n], ['1u', 1_000n],
    ['0.1n', 1n], ['1E', 10n ** 27n], ['1E3', 1_000n * 10n ** 9n], ['1.5Ki', 1_536n * 10n ** 9n], [2, 2_000_000_000n],
    [0.25, 250_000_000n], ['+1k', 1_000n * 10n ** 9n], ['9223372036854775807', (2n ** 63n - 1n) * 10n ** 9n],
    ['1e-3', 1_000_000n],
    // The form in which an API server returns 1.2Gi.
    ['1288490188800m', 1_288_490_188_800_000_000n],
  ])('%s is read exactly', (text, billionths) => {
    expect(readQuantity(text, 'cpu')).toBe(billionths);
  });

  it.each([
    '', ' 1', '1 ', '1x', '1.2.3', 'e3', '1e', '0x10', '-1', '-1n', '9223372036854775808', '1e999', 'NaN', 'Infinity',
    null, true, {}, [], NaN, '1'.repeat(65), '1KI', '1mi',
  ])('%j is malformed', (value) => {
    expect(() => readQuantity(value, 'cpu')).toThrow(expect.objectContaining({ name: 'Malformed' }));
  });
});
