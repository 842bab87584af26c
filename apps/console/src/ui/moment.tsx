import { hint } from './hints.tsx';

/** A moment in the API's form: RFC 3339, or Unix seconds. */
export type Instant = string | number | undefined;

/** Converts a moment to a Date. Returns undefined if it is absent, invalid, or not after the Unix epoch. */
export function dateOf(instant: Instant): Date | undefined {
  if (instant === undefined || instant === '' || instant === 0) return undefined;
  const date = new Date(typeof instant === 'number' ? instant * 1_000 : instant);
  return Number.isNaN(date.getTime()) || date.getTime() <= 0 ? undefined : date;
}

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in local time, with UTC in a hint. */
export function Moment({ at, absent = '–' }: { at: Instant; absent?: string }) {
  const date = dateOf(at);
  if (date === undefined) return <span className="dimmed">{absent}</span>;
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return <time dateTime={date.toISOString()} className="moment" {...hint(utc)}>{local.format(date)}</time>;
}
