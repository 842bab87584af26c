import { invalidValue, type Violations } from '@platform/values';
import type { Config } from '../config.ts';

/** Nothing holds a token to narrower scopes yet: one that only seems narrow must not be made (open-points 18.2). */
const offered: readonly string[] = ['all'];

/** The scopes that a request asks for, each once in ascending order; without any, `all` (open-points 18.2). */
export function scopesOf(violations: Violations, given: readonly string[]): readonly string[] {
  given.forEach((scope, index) => {
    if (!offered.includes(scope)) violations.note(`scopes[${index}]`, `must be one of ${offered.join(', ')}`);
  });
  return given.length === 0 ? ['all'] : [...new Set(given)].sort();
}

type Lifetimes = Pick<Config, 'defaultLifetime' | 'longestLifetime'>;

/**
 * When a token ends that a request asks for; null: never.
 * @throws Fault INVALID_VALUE for an end that is past, or later than a token may end
 */
export function endOf({ defaultLifetime, longestLifetime }: Lifetimes, expiresAt: Date | undefined): Date | null {
  const now = Date.now();
  const latest = longestLifetime === 0 ? Infinity : now + longestLifetime;
  if (expiresAt === undefined) {
    const usual = defaultLifetime === 0 ? Infinity : now + defaultLifetime;
    const end = Math.min(usual, latest);
    return end === Infinity ? null : new Date(end);
  }
  const refuse = (message: string) => invalidValue([{ path: 'expires_at', message }]);
  if (expiresAt.getTime() <= now) throw refuse('must be in the future');
  if (expiresAt.getTime() > latest) throw refuse(`must be within ${longestLifetime / 86_400_000} days from now`);
  return expiresAt;
}
