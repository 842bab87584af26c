import { type DescEnum, integerRanges, type ItemLimit, ScalarType } from '@platform/surface';
import { InexactNumber } from './exact-number.ts';
import { isObject } from './free-form.ts';
import { Place, type Problems } from './problems.ts';

/** Reads a JSON value. If the value is invalid, reports a problem at `step` below `up`, and returns undefined. */
export type Decode = (json: unknown, up: Place, step: string | number, problems: Problems) => unknown;
export type Encode = (value: never) => unknown;

const is64Bit = new Set([
  ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64, ScalarType.UINT64, ScalarType.FIXED64,
]);

/** The value of an unset scalar field without presence. */
export function defaultOf(scalar: ScalarType): unknown {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return '';
  return scalar === ScalarType.BOOL ? false : 0;
}

export function scalarDecoder(scalar: ScalarType): Decode {
  switch (scalar) {
    case ScalarType.STRING:
      return (json, up, step, problems) =>
        typeof json === 'string' ? json : problems.add(up, step, 'must be a string');
    case ScalarType.BOOL:
      return (json, up, step, problems) =>
        typeof json === 'boolean' ? json : problems.add(up, step, 'must be true or false');
    case ScalarType.BYTES:
      return (json, up, step, problems) => {
        const bytes = typeof json === 'string' ? fromBase64(json) : undefined;
        return bytes ?? problems.add(up, step, 'must be a string in base64');
      };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT: {
      const most = scalar === ScalarType.FLOAT ? 3.4028234663852886e38 : Number.MAX_VALUE;
      const message = `must be a number from ${-most} to ${most}`;
      return (json, up, step, problems) => {
        const number = json instanceof InexactNumber ? json.nearest : json;
        return typeof number === 'number' && Math.abs(number) <= most
          ? number : problems.add(up, step, message);
      };
    }
    default: {
      const { least, most } = integerRanges[scalar]!;
      const message = `must be a whole number from ${least} to ${most}`;
      return (json, up, step, problems) =>
        typeof json === 'number' && Number.isInteger(json) && json >= least && json <= most
          ? json : problems.add(up, step, message);
    }
  }
}

export function scalarEncoder(scalar: ScalarType): Encode {
  if (scalar === ScalarType.BYTES) {
    return ({ buffer, byteOffset, byteLength }: Uint8Array) =>
      Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  }
  if (is64Bit.has(scalar)) return safeInteger as Encode;
  return asItIs;
}

/** The encoder of values that are JSON already. */
export const asItIs: Encode = (value: unknown) => value;

/** A 64-bit integer in two halves, as the wire codec represents it. */
export interface Long {
  low: number;
  high: number;
}

export function numberOf(value: Long | number): number {
  return typeof value === 'number' ? value : value.high * 4_294_967_296 + (value.low >>> 0);
}

/** @throws RangeError for an unsafe integer, because most JSON readers would silently change the number */
function safeInteger(value: Long | number): number {
  const number = numberOf(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`the integer ${number} in a response is beyond 2^53-1`);
  return number;
}

const base64Form = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Decodes base64 in the standard or URL alphabet, with or without padding; undefined for another text. */
function fromBase64(text: string): Buffer | undefined {
  if (!base64Form.test(text)) return undefined;
  const digits = text.replace(/=+$/, '');
  if (digits.length % 4 === 1 || (digits.length !== text.length && text.length % 4 !== 0)) return undefined;
  return Buffer.from(digits, 'base64');
}

/** Enum values are read by name; a number is refused (open-points 1.7). */
export function enumDecoder(type: DescEnum): Decode {
  const numbers = new Map(type.values.map(({ name, number }) => [name, number]));
  const message = `must be one of ${[...numbers.keys()].join(', ')}`;
  return (json, up, step, problems) =>
    (typeof json === 'string' ? numbers.get(json) : undefined) ?? problems.add(up, step, message);
}

/** Writes enum values by name. A value that this gateway does not know is written as a number. */
export function enumEncoder(type: DescEnum): Encode {
  const names = new Map(type.values.map(({ name, number }) => [number, name]));
  return (value: number) => names.get(value) ?? value;
}

/** An entry of a map. The wire codec represents a map as a list of entries. */
export interface MapEntry {
  key?: unknown;
  value?: unknown;
}

/** Returns a decoder that reads a JSON object as a map. `key` returns undefined for an invalid key. */
export function mapDecoder(key: (text: string) => unknown, value: Decode, limit?: ItemLimit): Decode {
  return (json, up, step, problems) => {
    if (!isObject(json)) return problems.add(up, step, 'must be an object');
    const names = Object.keys(json);
    if (!problems.fits(up, step, names.length, limit)) return undefined;
    const at = new Place(up, step);
    const entries: MapEntry[] = [];
    for (const name of names) {
      const entry = { key: key(name), value: value(json[name], at, name, problems) };
      if (entry.key === undefined) problems.add(at, name, 'is not a valid key of this map');
      else if (entry.value !== undefined) entries.push(entry);
    }
    return entries;
  };
}

export function mapKeyDecoder(scalar: ScalarType): (text: string) => unknown {
  if (scalar === ScalarType.STRING) return (text) => text;
  if (scalar === ScalarType.BOOL) return (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
  const { least, most } = integerRanges[scalar]!;
  return (text) => {
    const number = /^(?:0|-?[1-9][0-9]{0,15})$/.test(text) ? Number(text) : NaN;
    return number >= least && number <= most ? number : undefined;
  };
}
