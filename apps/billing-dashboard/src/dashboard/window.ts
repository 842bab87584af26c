import { invalidParameter } from '@platform/values';

/** The units of a Go duration, in nanoseconds. */
const units: Readonly<Record<string, number>> = {
  h: 3_600e9, m: 60e9, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, μs: 1e3, ns: 1,
};
const part = /(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|μs|ns)/g;
const whole = new RegExp(`^[+-]?(?:${part.source})+$`);
/** Go durations are below this number of nanoseconds, because Go stores them as signed 64-bit integers. */
const longestNs = 2 ** 63;

/**
 * Returns the start of the time window.
 * @param limit a Go duration, counted back from `now`, or a UTC day (open-points 8.1)
 * @throws Fault INVALID_PARAMETER
 */
export function windowStart(limit = '4392h', now = new Date()): Date {
  const start = /^\d{4}-\d\d-\d\d$/.test(limit) ? startOfDay(limit) : new Date(now.getTime() - milliseconds(limit));
  if (start === undefined || !(start.getTime() < now.getTime())) {
    throw invalidParameter('limit', 'must be a Go duration above 0, such as 720h, or a UTC day YYYY-MM-DD up to today');
  }
  return start;
}

/** Converts a positive Go duration to milliseconds, at least 1. Returns NaN for any other text. */
function milliseconds(text: string): number {
  if (!whole.test(text) || text.startsWith('-')) return NaN;
  const nanoseconds = [...text.matchAll(part)].map(([, count, unit]) => Number(count) * units[unit!]!)
    .reduce((sum, one) => sum + one, 0);
  return nanoseconds >= longestNs || nanoseconds === 0 ? NaN : Math.max(nanoseconds / 1e6, 1);
}

function startOfDay(text: string): Date | undefined {
  const start = new Date(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(start.getTime()) && start.toISOString().slice(0, 10) === text;
  return isDay && start.getUTCFullYear() > 0 ? start : undefined;
}
