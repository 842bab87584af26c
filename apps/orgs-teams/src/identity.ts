import type { GetStandingRequest, OrganizationStanding, Standing } from '@platform/proto/orgs/v1/identity';
import type { Database } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { Fault } from '@platform/rpc';
import type { CounterSeries, Metrics, Secret } from '@platform/service';
import { toCaller, toOrganizationStanding } from './convert.ts';
import { hasTokenForm, tokenHash } from './domain/access-token.ts';
import { slugKey } from './domain/slug.ts';
import type { TokenBuckets } from './domain/token-bucket.ts';
import { accountDisabled, invalidToken } from './faults.ts';
import type { LastUsed } from './last-used.ts';
import { type CallerRow, readStanding } from './reports/standing.ts';

/** Resolves a token and organizations (authorization.md R1). @throws Fault for a token that opens nothing */
export type ResolveStanding = (request: GetStandingRequest, call: OutgoingContext) => Promise<Standing>;

export interface IdentityOptions {
  readonly database: Database;
  readonly tokenKey: Secret;
  readonly lastUsed: LastUsed;
  /** Undefined: accounts are not limited. */
  readonly buckets: TokenBuckets | undefined;
  readonly metrics?: Metrics;
}

const mostAccounts = 1_000;

export function createResolveStanding(options: IdentityOptions): ResolveStanding {
  const { database, tokenKey, lastUsed, buckets, metrics } = options;
  const limited = metrics?.counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused because too many came, by the limit they met.',
    labels: ['policy'],
  }).with({ policy: 'account' });
  return async ({ token, slugs, organizationIds }, { deadline }) => {
    if (slugs.length + organizationIds.length > mostAccounts) {
      throw new Fault('TOO_MANY_ITEMS', `at most ${mostAccounts} organizations can be asked for at once`);
    }
    if (token !== '' && !hasTokenForm(token)) throw invalidToken();
    const { caller, asked } = await readStanding(
      database,
      {
        tokenHash: token === '' ? undefined : tokenHash(tokenKey, token),
        slugKeys: slugs.flatMap((slug) => slugKey(slug) ?? []),
        accountIds: organizationIds,
      },
      deadline,
    );
    if (token !== '') admitCaller(caller, buckets, limited);
    if (caller?.lastUsedIsOld === true) lastUsed.note(caller.tokenId);
    const organizations: OrganizationStanding[] = asked.map((row) => toOrganizationStanding(row, caller));
    return { caller: caller && toCaller(caller), organizations };
  };
}

/** The order matters: who is inactive learns nothing of his account (open-points 1.3). */
function admitCaller(
  caller: CallerRow | undefined,
  buckets: TokenBuckets | undefined,
  limited: CounterSeries | undefined,
): asserts caller is CallerRow {
  if (caller === undefined || caller.tokenExpired || !caller.active) throw invalidToken();
  if (caller.prohibitLogin) throw accountDisabled();
  const retryAfterSeconds = buckets?.take(caller.id, performance.now()) ?? 0;
  if (retryAfterSeconds > 0) {
    limited?.add();
    throw new Fault('RATE_LIMITED', 'this account asks too often, try again later', { retryAfterSeconds });
  }
}
