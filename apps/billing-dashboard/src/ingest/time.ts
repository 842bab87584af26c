import { Malformed } from './malformed.ts';

const form = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Reads RFC3339 as microseconds since 1970, as PostgreSQL keeps times; what is finer is cut off. Years up to 2255 fit.
 * @throws Malformed
 */
export function readMicroseconds(text: string): number {
  const found = form.exec(text);
  const [, day, time, fraction = '', zone] = found ?? [];
  const seconds = Date.parse(`${day}T${time}${zone?.toUpperCase()}`) / 1000;
  const isDay = found !== null && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
  if (!isDay || Number.isNaN(seconds)) throw new Malformed(`${text.slice(0, 40)} is no RFC3339 time`);
  return seconds * 1_000_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
