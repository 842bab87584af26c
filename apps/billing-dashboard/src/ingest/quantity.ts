import { Malformed } from './json.ts';

const billion = 10n ** 9n;
/** Amounts beyond are malformed (open-points 13.5). */
const most = (2n ** 63n - 1n) * billion;
const mostCharacters = 64;

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Reads a Kubernetes quantity (`500m`, `2Gi`, `1e3`) as billionths, exactly; what is finer is rounded up, as Kubernetes
 * does. @throws Malformed for anything else, for amounts below 0 and above 2^63-1
 */
export function readQuantity(value: unknown, path: string): bigint {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > mostCharacters) throw new Malformed(`${path} is no quantity`);
  const found = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d{1,3})|([KMGTPE]i|[numkMGTPE]?))$/.exec(text);
  if (found === null) throw new Malformed(`${path} is no quantity: ${text}`);
  const [, sign, digits, exponent, suffix = ''] = found as unknown as [string, string, string, string?, string?];
  const [whole = '', fraction = ''] = digits.split('.');
  const factor = binary.includes(suffix) ? 1024n ** BigInt(binary.indexOf(suffix) + 1) : 1n;
  const power = 9 - fraction.length + (exponent === undefined ? decimal[suffix] ?? 0 : Number(exponent.slice(1)));
  const amount = shifted(BigInt(whole + fraction) * factor, power);
  if (amount > most || (sign === '-' && amount > 0n)) throw new Malformed(`${path} is out of range: ${text}`);
  return amount;
}

/** A number times a power of ten, rounded up. */
function shifted(number: bigint, power: number): bigint {
  if (power >= 0) return number * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (number + divisor - 1n) / divisor;
}
