import type { Caller } from '@platform/proto/orgs/v1/identity';
import { missingScope } from '@platform/rpc';
import { coversScope, tokenScopes, wholeScope } from '@platform/surface';
import { invalidValue, type Violations } from '@platform/values';
import type { Config } from '../config.ts';

/**
 * Returns the requested scopes without duplicates, ascending; `all` if no scope is requested (open-points 18.2). Adds a
 * violation for each unknown scope.
 */
export function scopesOf(violations: Violations, given: readonly string[]): readonly string[] {
  given.forEach((scope, index) => {
    if (!tokenScopes.includes(scope)) violations.note(`scopes[${index}]`, `must be one of ${tokenScopes.join(', ')}`);
  });
  return given.length === 0 ? [wholeScope] : [...new Set(given)].sort();
}

/**
 * Refuses a new token with a scope that the caller's token lacks, and a new token that ends later than the caller's
 * token (open-points 18.2). Callers whose token has the scope `all` may create any token.
 * @param expiresAt null: never
 * @throws Fault MISSING_SCOPE
 */
export function refuseMoreThanOwn(
  { scopes: held, tokenEndsAt }: Caller, scopes: readonly string[], expiresAt: Date | null,
): void {
  if (held.includes(wholeScope)) return;
  const missing = scopes.find((scope) => !coversScope(held, scope));
  if (missing !== undefined) throw missingScope(missing);
  if (tokenEndsAt === undefined) return;
  if (expiresAt === null || expiresAt.getTime() > tokenEndsAt) {
    throw missingScope(
      wholeScope, `your token expires at ${new Date(tokenEndsAt).toISOString()}, and a new token must not expire later`,
    );
  }
}

/**
 * Returns the time at which a requested token ends; null: never.
 * @param expiresAt null: never; undefined: after the default lifetime, or after the longest one if that is shorter
 * @throws Fault INVALID_VALUE for a time in the past or after the longest lifetime; also for null if there is a longest
 *   lifetime
 */
export function endOf(
  { defaultLifetime, longestLifetime }: Pick<Config, 'defaultLifetime' | 'longestLifetime'>,
  expiresAt: Date | null | undefined, path = 'expires_at',
): Date | null {
  const now = Date.now();
  const latest = longestLifetime === 0 ? Infinity : now + longestLifetime;
  if (expiresAt === undefined) {
    const usual = Math.min(defaultLifetime === 0 ? Infinity : now + defaultLifetime, latest);
    return usual === Infinity ? null : new Date(usual);
  }
  const refuse = (message: string) => invalidValue([{ path, message }]);
  const end = expiresAt?.getTime() ?? Infinity;
  if (end <= now) throw refuse('must be in the future');
  if (end > latest) throw refuse(`must be within ${longestLifetime / 86_400_000} days from now`);
  return expiresAt;
}
