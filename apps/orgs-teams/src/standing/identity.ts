import { Fault } from '@platform/faults';
import type { RateLimiter } from '@platform/limits';
import type { GetStandingRequest, Standing } from '@platform/proto/orgs/v1/identity';
import type { Database } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import type { Secret } from '@platform/service';
import { slugKey } from '@platform/values';
import { accountDisabled, invalidToken } from '../faults.ts';
import { hasSessionForm, hasTokenForm, tokenHash } from './access-token.ts';
import type { WhyNot } from './account-rights.ts';
import { toCaller, toOrganizationStanding } from './convert.ts';
import type { LastUsed } from './last-used.ts';
import { readStanding } from './standing.ts';

/**
 * Resolves a token and organizations to a standing (authorization.md R1). A standing is the caller, and the caller's
 * principals in the organizations.
 * @throws Fault, for example for an invalid token
 */
export type ResolveStanding = (request: GetStandingRequest, call: OutgoingContext) => Promise<Standing>;

interface IdentityOptions {
  readonly database: Database;
  readonly tokenKey: Secret;
  readonly lastUsed: LastUsed;
  readonly rateLimiter: Pick<RateLimiter, 'account'>;
  readonly whyNot: WhyNot;
}

const mostAccounts = 1_000;

/** Returns a function that reads each standing from the database. */
export function createReadStanding(
  { database, tokenKey, lastUsed, rateLimiter, whyNot }: IdentityOptions,
): ResolveStanding {
  return async (request, { deadline }) => {
    const { token, slugs, organizationIds, countsRequest, countsAs, right, ownOrganization, scope = '' } = request;
    if (slugs.length + organizationIds.length > mostAccounts) {
      throw new Fault('TOO_MANY_ITEMS', `at most ${mostAccounts} organizations can be asked for at once`);
    }
    if (token !== '' && !hasTokenForm(token) && !hasSessionForm(token)) throw invalidToken();
    const { caller, asked } = await readStanding(database, {
      tokenHash: token === '' ? undefined : tokenHash(tokenKey, token),
      scope,
      slugKeys: slugs.flatMap((slug) => slugKey(slug) ?? []),
      accountIds: organizationIds,
      asksRight: right !== undefined,
      asksOwnOrganization: ownOrganization === true,
    }, deadline);
    if (token !== '') {
      // A token of an inactive account is refused like an unknown token (open-points 1.3). So check `active` first.
      if (caller === undefined || caller.tokenExpired || !caller.active) throw invalidToken();
      if (caller.prohibitLogin) throw accountDisabled();
      const tooMany = countsRequest === true ? rateLimiter.account(caller.id, countsAs) : undefined;
      if (tooMany) throw tooMany;
    }
    if (caller?.lastUsedIsOld === true) lastUsed.note(caller.tokenId);
    const organizations = asked.map((row) => toOrganizationStanding(row, caller));
    if (caller === undefined) return { caller, organizations };
    const shown = toCaller(caller);
    if (right !== undefined && caller.rights !== null) {
      const denied = whyNot(right, caller.rights);
      shown.right = { held: denied === undefined, whyNot: denied ?? '' };
    }
    return { caller: shown, organizations, keepMs: caller.keepMs };
  };
}
