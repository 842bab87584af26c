import { notFound } from '@platform/faults';
import { invalidParameter } from '@platform/values';
import { nextMonth } from './segments.ts';

/** A UTC month. Times are microseconds since 1970. */
export interface Month {
  readonly year: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly from: number;
  readonly to: number;
  /** `2026-11-01` */
  readonly firstDay: string;
}

export type MonthPath = Readonly<Record<'year' | 'month', string>>;

export const monthNames = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December',
] as const;

/** Maximum lateness of events, in microseconds. A month is final this long after its end (open-points 7.2, 7.3). */
export const lateUs = 35 * 86_400_000_000;
export const dayUs = 86_400_000_000;

/** Parses year and month of a path (open-points 7.1). @throws Fault INVALID_PARAMETER; NOT_FOUND for the year 0 */
export function readMonth({ year, month }: MonthPath): Month {
  if (!/^\d{4}$/.test(year)) throw invalidParameter('year', 'must have four digits');
  const number = /^(?:0?[1-9]|1[0-2])$/.test(month)
    ? Number(month)
    : monthNames.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1;
  if (number === 0) throw invalidParameter('month', 'must be a month, such as 11 or November');
  // The year 0 does not exist, so nothing was metered in it.
  if (Number(year) === 0) throw notFound('nothing was metered');
  const start = new Date(0);
  start.setUTCFullYear(Number(year), number - 1, 1);
  const from = start.getTime() * 1000;
  return { year: Number(year), month: number, from, to: nextMonth(from), firstDay: start.toISOString().slice(0, 10) };
}

export function isFinal({ to }: Month, nowUs: number): boolean {
  return nowUs >= to + lateUs;
}

/** Formats a time as RFC 3339, cut to whole seconds (open-points 1.7). */
export function rfc3339(microseconds: number): string {
  return `${new Date(microseconds / 1000).toISOString().slice(0, 19)}Z`;
}
