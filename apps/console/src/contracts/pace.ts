/** A forecast for the quota of a month, from the rate of use so far. */
export interface Pace {
  /**
   * The expected time when the quota is used up; `used up` if it already is. Undefined if this is not expected this
   * month.
   */
  readonly ends: Date | 'used up' | undefined;
  /** The expected use at the end of the month. */
  readonly amount: number;
}

const dayMs = 86_400_000;

/**
 * Forecasts the use of a monthly quota. The rate is the mean since the start of the first day with use, over at least
 * an hour.
 * @param byDay use of each day of the UTC month, up to and including today
 */
export function paceOf(byDay: readonly number[], limit: number, now: Date): Pace {
  const used = byDay.reduce((sum, one) => sum + one, 0);
  const first = byDay.findIndex((one) => one > 0);
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  if (first === -1) return { ends: undefined, amount: 0 };
  // Count only the part of today that has passed.
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), first + 1);
  const perDay = used / Math.max((now.getTime() - begin) / dayMs, 1 / 24);
  const today = now.getUTCDate();
  const amount = used + perDay * Math.max(0, lastDay + 1 - today - (now.getTime() % dayMs) / dayMs);
  if (used >= limit) return { ends: 'used up', amount };
  const ends = new Date(now.getTime() + ((limit - used) / perDay) * dayMs);
  const isThisMonth = ends.getUTCMonth() === now.getUTCMonth() && ends.getTime() - now.getTime() < 32 * dayMs;
  return { ends: isThisMonth ? ends : undefined, amount };
}
