import type { NumberToken } from './scan-document.ts';

/**
 * A JSON number that a double would change, and whose nearest double is an integer or infinite (open-points 1.7):
 * `9007199254740993`, `1.0000000000000000001`, `1e400`. Other numbers may be rounded.
 */
export class InexactNumber {
  readonly nearest: number;

  constructor(nearest: number) {
    this.nearest = nearest;
  }
}

/**
 * Works like JSON.parse, but numbers in `longIntegers` that a double would change become an {@link InexactNumber}.
 * Such a number first becomes a string that begins with NUL. No valid string contains NUL. A reviver would be slower.
 * @param longIntegers as `scanDocument` returns them
 */
export function parseExactly(text: string, longIntegers: readonly NumberToken[]): unknown {
  let marked = '';
  let end = 0;
  for (const { source, start } of longIntegers) {
    if (!isChanged(source)) continue;
    marked += `${text.slice(end, start)}"\\u0000${source}"`;
    end = start + source.length;
  }
  return end === 0 ? JSON.parse(text) : unmarked(JSON.parse(marked + text.slice(end)));
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.charCodeAt(0) === 0 ? new InexactNumber(Number(value.slice(1))) : value;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = unmarked(value[index]);
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key in members) {
      const member = members[key];
      if (typeof member === 'string' || typeof member === 'object') members[key] = unmarked(member);
    }
  }
  return value;
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Whether a JSON number changes if it is read as a double and written again. False for any other text. */
export function isChanged(source: string): boolean {
  if (!jsonNumber.test(source)) return false;
  const value = Number(source);
  return !Number.isFinite(value) || decimal(source) !== decimal(String(value));
}

/** A canonical spelling of a decimal number: digits without leading or trailing zeros, and the power of ten. */
function decimal(source: string): string {
  const sign = source.startsWith('-') ? '-' : '';
  const mark = source.search(/e/i);
  const mantissa = source.slice(sign.length, mark < 0 ? undefined : mark);
  const point = mantissa.indexOf('.');
  const digits = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let [first, end] = [0, digits.length];
  while (digits.charCodeAt(first) === zero) first += 1;
  // Skip trailing zeros without a regular expression: it would take long if many zeros are in the middle.
  while (end > first && digits.charCodeAt(end - 1) === zero) end -= 1;
  if (first === digits.length) return '0';
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;
  const power = (mark < 0 ? 0 : Number(source.slice(mark + 1))) - fraction + (digits.length - end);
  return `${sign}${digits.slice(first, end)}e${power}`;
}

const zero = 0x30;
