import { describe, expect, it } from '@jest/globals';
import { binaryQuantity, decimalQuantity, parseQuantity } from './quantity.ts';

describe('a quantity', () => {
  it.each<[bigint, string, string]>([
    [0n, '0', '0'], [1_500_000_000n, '1500m', '1'], [2_000_000_000n, '2', '2'], [1n, '1n', '0'],
    [1024n * 10n ** 9n, '1024', '1Ki'], [10n * 1024n ** 3n * 10n ** 9n, '10737418240', '10Gi'],
    [1536n * 10n ** 9n, '1536', '1536'], [1024n ** 7n * 10n ** 9n, String(1024n ** 7n), '1024Ei'],
  ])('of %s billionths is written as %s or %s', (billionths, decimal, binary) => {
    expect([decimalQuantity(billionths), binaryQuantity(billionths)]).toEqual([decimal, binary]);
    expect(parseQuantity(decimal)).toBe(billionths);
  });

  it.each([['-1', -(10n ** 9n)], ['-500m', -500_000_000n], ['0.1n', 1n], ['1 ', undefined], [null, undefined]])(
    '%s is read as %s billionths', (text, billionths) => expect(parseQuantity(text)).toBe(billionths),
  );
});
