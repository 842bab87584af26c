/** When the quota of a month ends if the contract is used at the same rate as before. */
export interface Pace {
  /** When the quota ends; `used up` if it has ended already; undefined if it lasts until the end of the month. */
  readonly ends: Date | 'used up' | undefined;
  /** The expected use at the end of the month. */
  readonly amount: number;
}

const dayMs = 86_400_000;

/**
 * Computes when the quota ends, from the mean use per day since the first use of this month.
 * @param byDay use of each day of the month until today
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
