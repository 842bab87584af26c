/** A message that is not an event as defined in open-points 13.2. A retry cannot succeed. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** Maximum length, in bytes, of texts that identify rows, and of texts that views show. */
const mostBytes = 512;

/** @throws Malformed if the text is too long */
export function short(text: string, path: string): string {
  if (Buffer.byteLength(text) > mostBytes) throw new Malformed(`${path} is longer than ${mostBytes} bytes`);
  return text;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : undefined;
}

/** The text at a path; empty if there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/**
 * Returns the first text at these paths that is not empty. If there is none, the result is empty.
 * @param paths of keys in the event, such as `data.resourceID.group`
 * @throws Malformed if the text is too long
 */
export function shortAt(event: JsonObject, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = textAt(event, ...path.split('.'));
    if (text !== '') return short(text, path);
  }
  return '';
}

/** The value at a path of object keys; undefined if there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    const object = objectOf(current);
    if (object === undefined || !Object.hasOwn(object, step)) return undefined;
    current = object[step];
  }
  return current;
}

/** Maximum nesting of the data of an event. Objects of Kubernetes have some dozens of levels. */
const mostLevels = 1_000;

/**
 * Returns the same text for equal JSON values; the order of their keys does not matter.
 * @throws Malformed if the value is nested too deeply
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, 0));
}

/** Returns an equal value whose objects have sorted keys. As in any object, keys that are integers come first. */
function sorted(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level > mostLevels) throw new Malformed(`data is nested more than ${mostLevels} levels deep`);
  if (Array.isArray(value)) return value.map((item) => sorted(item, level + 1));
  const keys = Object.keys(value);
  if (!keys.every((key, place) => place === 0 || keys[place - 1]! < key)) keys.sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as JsonObject)[key], level + 1)]));
}

const timeForm = /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Parses an RFC3339 time, and returns microseconds since 1970, exact until the year 2255. @throws Malformed */
export function readMicroseconds(text: string, path: string): number {
  const found = timeForm.exec(text);
  const [, day, time, fraction = '', zone] = found ?? [];
  const seconds = Date.parse(`${day}T${time}${zone?.toUpperCase()}`) / 1000;
  const isDay = found !== null && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
  if (!isDay || Number.isNaN(seconds)) throw new Malformed(`${path} is not an RFC3339 time: ${text.slice(0, 40)}`);
  return seconds * 1_000_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
