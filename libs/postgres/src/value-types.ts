import pg from 'pg';

const int8 = 20;
const date = 1082;
const int8Array = 1016;
const numericArray = 1231;
const dateArray = 1182;

/** @throws RangeError for an integer that a JavaScript number may not represent exactly (open-points 1.7) */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53-1');
  return value;
}

/** Reads int8 arrays (`{1,2,NULL}`) of one dimension. We store no arrays with more dimensions. */
function readIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  return text.slice(1, -1).split(',').map((item) => (item === 'NULL' ? null : readInteger(item)));
}

type Read = (text: string) => unknown;
const readText: Read = (text) => text;
const readTexts: Read = pg.types.getTypeParser(1009 as number);

const own = new Map<number, Read>([
  [int8, readInteger],
  [int8Array, readIntegers],
  // Dates are read as text: they have no time zone, but a Date would add one.
  [date, readText],
  [dateArray, readTexts],
  [numericArray, readTexts],
]);

export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Read =>
    own.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Read),
};
