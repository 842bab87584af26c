/** A forecast for the quota of a month, from the rate of use so far. */
export interface Pace {
  /**
   * The expected time when the quota is used up, or `used up` if it is used up already. Undefined if the quota is
   * expected to last until the end of the month.
   */
  readonly ends: Date | 'used up' | undefined;
  /** The expected use of the whole month, in the unit of the quota. */
  readonly amount: number;
}

const dayMs = 86_400_000;

/**
 * Forecasts the use of a monthly quota. The rate is the mean use since the start of the first day with use. A period of
 * less than an hour counts as an hour.
 * @param byDay use of each day of the UTC month, up to and including today
 */
export function paceOf(byDay: readonly number[], limit: number, now: Date): Pace {
  const used = byDay.reduce((sum, one) => sum + one, 0);
  const first = byDay.findIndex((one) => one > 0);
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  if (first === -1) return { ends: undefined, amount: 0 };
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), first + 1);
  const perDay = used / Math.max((now.getTime() - begin) / dayMs, 1 / 24);
  const today = now.getUTCDate();
  const amount = used + perDay * Math.max(0, lastDay + 1 - today - (now.getTime() % dayMs) / dayMs);
  if (used >= limit) return { ends: 'used up', amount };
  const ends = new Date(now.getTime() + ((limit - used) / perDay) * dayMs);
  const isThisMonth = ends.getUTCMonth() === now.getUTCMonth() && ends.getTime() - now.getTime() < 32 * dayMs;
  return { ends: isThisMonth ? ends : undefined, amount };
}
