const billion = 10n ** 9n;
const mostCharacters = 64;

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Reads a Kubernetes quantity (`500m`, `2Gi`, `1e3`) as billionths, rounded away from zero; undefined if invalid. */
export function parseQuantity(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > mostCharacters) return undefined;
  const found = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d{1,3})|([KMGTPE]i|[numkMGTPE]?))$/.exec(text);
  if (found === null) return undefined;
  const [, sign, digits, exponent, suffix = ''] = found as unknown as [string, string, string, string?, string?];
  const [whole = '', fraction = ''] = digits.split('.');
  const factor = binary.includes(suffix) ? 1024n ** BigInt(binary.indexOf(suffix) + 1) : 1n;
  const power = 9 - fraction.length + (exponent === undefined ? decimal[suffix] ?? 0 : Number(exponent.slice(1)));
  const amount = shifted(BigInt(whole + fraction) * factor, power);
  return sign === '-' ? -amount : amount;
}

/** Multiplies a number by a power of ten, and rounds up. */
function shifted(number: bigint, power: number): bigint {
  if (power >= 0) return number * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (number + divisor - 1n) / divisor;
}

/** Formats billionths of a processor as whole processors, thousandths or billionths: `2`, `1500m`, `7n`. */
export function decimalQuantity(billionths: bigint): string {
  if (billionths % billion === 0n) return String(billionths / billion);
  return billionths % 1_000_000n === 0n ? `${billionths / 1_000_000n}m` : `${billionths}n`;
}

/**
 * Formats a size in the largest binary unit that needs no fraction: `10Gi`, `1536Mi`, `1000`. Fractions of a byte are
 * cut off.
 * @param billionths the size in billionths of a byte; at least 0
 */
export function binaryQuantity(billionths: bigint): string {
  const bytes = billionths / billion;
  const suffixes = ['', ...binary];
  const power = suffixes.findLastIndex((_, place) => bytes > 0n && bytes % 1024n ** BigInt(place) === 0n);
  return power < 1 ? String(bytes) : `${bytes / 1024n ** BigInt(power)}${suffixes[power]}`;
}
