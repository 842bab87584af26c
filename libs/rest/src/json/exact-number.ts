/**
 * A number of a JSON text that a double would silently make another one: `9007199254740993`, `1.00000000000000000001`.
 * Everything else is a plain `number` (open-points 1.7).
 */
export class InexactNumber {
  /** The nearest double. */
  readonly nearest: number;

  constructor(nearest: number) {
    this.nearest = nearest;
  }
}

/** Texts without such a run have no number that could be inexact; a match may also lie in a string. */
const suspicious = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** Like JSON.parse, with {@link InexactNumber} where an integer would change. */
export function parseExactly(text: string): unknown {
  return suspicious.test(text) ? JSON.parse(text, markInexact) : JSON.parse(text);
}

function markInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  if (!Number.isFinite(value)) return new InexactNumber(value);
  // A fraction is a double by nature; what reads as an integer must be that integer.
  return Number.isInteger(value) && decimal(context.source) !== decimal(String(value))
    ? new InexactNumber(value)
    : value;
}

/** One spelling for each decimal number: digits without leading or trailing zeros, and the power of ten. */
function decimal(source: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}
