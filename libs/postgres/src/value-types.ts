import pg from 'pg';

const int8 = 20;
const date = 1082;
const int8Array = 1016;
const numericArray = 1231;
const dateArray = 1182;

/** Reads int8 as a number. @throws RangeError beyond 2^53-1: no id or count of ours comes near (open-points 1.7) */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53-1');
  return value;
}

/** `{1,2,NULL}`: int8 arrays of one dimension, which is all we store. */
function readIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : readInteger(item)));
}

type Read = (text: string) => unknown;
const readText: Read = (text) => text;
const readTexts: Read = pg.types.getTypeParser(1009 as number);

const own = new Map<number, Read>([
  [int8, readInteger],
  [int8Array, readIntegers],
  // A day has no time zone; a Date would give it one.
  [date, readText],
  [dateArray, readTexts],
  [numericArray, readTexts],
]);

/** How columns become values: pg's ways, except for what {@link own} says. */
export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Read =>
    own.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Read),
};
