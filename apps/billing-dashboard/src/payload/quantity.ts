import { parseQuantity } from '@platform/values';
import { Malformed } from './json.ts';

/** Maximum amount, in billionths. A larger amount is malformed (open-points 13.5). */
const most = (2n ** 63n - 1n) * 10n ** 9n;

/**
 * Parses a Kubernetes quantity (`500m`, `2Gi`, `1e3`) into billionths.
 * @throws Malformed if the value is not a quantity, is negative, or is above the maximum
 */
export function readQuantity(value: unknown, path: string): bigint {
  const amount = parseQuantity(value);
  if (amount === undefined) throw new Malformed(`${path} is not a Kubernetes quantity`);
  if (amount < 0n || amount > most) throw new Malformed(`${path} is not between 0 and 2^63 - 1: ${String(value)}`);
  return amount;
}
