import pg from 'pg';

const int8 = 20;
const date = 1082;
const timestamptz = 1184;
const int4Array = 1007;
const int8Array = 1016;
const textArray = 1009;
const numericArray = 1231;
const dateArray = 1182;

/** @throws RangeError for an integer that a JavaScript number may not represent exactly (open-points 1.7) */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53-1');
  return value;
}

/** Reads arrays of integers (`{1,2,NULL}`) of one dimension. We store no arrays with more dimensions. */
function readIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  return text.slice(1, -1).split(',').map((item) => (item === 'NULL' ? null : readInteger(item)));
}

type Read = (text: string) => unknown;
const readText: Read = (text) => text;
const readAnyTexts: Read = pg.types.getTypeParser(textArray as number);
const readAnyTime: Read = pg.types.getTypeParser(timestamptz as number);

/** Reads `{a,b}` directly. pg reads every character, and is needed only for quoted texts, NULL and nested arrays. */
function readTexts(text: string): unknown {
  if (text === '{}') return [];
  return /["{]|NULL/.test(text.slice(1)) ? readAnyTexts(text) : text.slice(1, -1).split(',');
}

/**
 * Reads `2026-12-01 08:30:00.123456+00` digit by digit, which is many times faster than the regular expression of pg.
 * Sessions are in UTC (see `startSession`). Other texts are left to pg, such as `infinity` and the years before 100.
 */
function readTime(text: string): unknown {
  const two = (at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * zero;
  const year = two(0) * 100 + two(2);
  if (!(year >= 100) || text.charCodeAt(4) !== hyphen || !text.endsWith('+00')) return readAnyTime(text);
  const fraction = text.length > 22 ? Number(text.slice(19, -3)) : 0;
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), fraction * 1000));
}
const zero = 0x30;
const hyphen = 0x2d;

const own = new Map<number, Read>([
  [int8, readInteger],
  [timestamptz, readTime],
  [int4Array, readIntegers],
  [int8Array, readIntegers],
  [textArray, readTexts],
  // Dates are read as text: they have no time zone, but a Date would add one.
  [date, readText],
  [dateArray, readTexts],
  [numericArray, readTexts],
]);

export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Read =>
    own.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Read),
};
