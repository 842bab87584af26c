import { hash } from 'node:crypto';
import type { RateLimiter } from '@platform/limits';
import { AccountKind, type GetStandingRequest, type Standing } from '@platform/proto/orgs/v1/identity';
import type { OutgoingContext } from '@platform/rpc';
import type { OpenHolder } from './open-holder.ts';

/** Resolves a token and organizations to a standing (authorization.md R1). */
export type ReadStanding = (request: GetStandingRequest, call: OutgoingContext) => Promise<Standing>;

/** The standing of an authenticated caller, kept in memory. */
export interface KnownStanding {
  readonly standing: Standing;
  readonly callerId: number;
  /**
   * The times from which the standing may not be used, on the monotonic clock and on the wall clock, in milliseconds.
   * The time that is reached first counts. At that time, the token may expire, or its last use must be recorded again.
   */
  readonly until: { readonly monotonic: number; readonly wall: number };
}

interface KnownStandingsOptions {
  readonly holder: OpenHolder<KnownStanding>;
  /** Asks orgs-teams. If `mayBeKept` is not set in the request, orgs-teams answers from its database. */
  readonly read: ReadStanding;
  readonly rateLimiter: Pick<RateLimiter, 'account'>;
}

/**
 * Returns standings from memory while a lease allows this (leases.md), and otherwise asks orgs-teams. Always asks
 * orgs-teams if the request has no token or asks for an account right.
 */
export function createKnownStandings({ holder, read, rateLimiter }: KnownStandingsOptions): ReadStanding {
  return async (request, call) => {
    if (request.token === '' || request.right !== undefined) return read({ ...request, mayBeKept: true }, call);
    const question = questionOf(request);
    const known = holder.look(question);
    if (known !== undefined && performance.now() < known.until.monotonic && Date.now() < known.until.wall) {
      const tooMany = request.countsRequest === true
        ? rateLimiter.account(known.callerId, request.countsAs) : undefined;
      if (tooMany) throw tooMany;
      return known.standing;
    }
    return holder.read(question, async (mayBeKept) => {
      const sentAt = { monotonic: performance.now(), wall: Date.now() };
      // If the answer may be kept here, it must be read from rows. An answer from the memory of another holder may be
      // outdated (leases.md L2).
      const standing = await read({ ...request, mayBeKept: !mayBeKept }, call);
      return { result: standing, kept: toKeep(question, request, standing, sentAt) };
    });
  };
}

/** The key under which the answer to a request is kept. It contains a hash of the token instead of the token. */
function questionOf({ token, slugs, organizationIds, ownOrganization, scope = '' }: GetStandingRequest): string {
  const names = slugs.map((slug) => slug.toLowerCase());
  return JSON.stringify([hash('sha256', token, 'base64'), names, organizationIds, ownOrganization === true, scope]);
}

function toKeep(
  question: string, { slugs, organizationIds, ownOrganization }: GetStandingRequest, standing: Standing,
  sentAt: KnownStanding['until'],
) {
  const { caller, organizations, keepMs = 0 } = standing;
  // Keep no answer in which a requested account is missing. The creation of the account would not remove the answer.
  const asked = slugs.length + organizationIds.length + (ownOrganization === true ? 1 : 0);
  const pending = organizations.some(({ principals }) => principals.some((principal) => principal.pending));
  if (caller === undefined || keepMs === 0 || pending || organizations.length !== asked) return undefined;
  const keys = [`token/${caller.tokenId}`, `account/${caller.id}`];
  for (const { id, kind } of organizations) {
    if (kind === AccountKind.ACCOUNT_KIND_ORGANIZATION) keys.push(`organization/${id}`, `membership/${caller.id}/${id}`);
    else keys.push(`account/${id}`);
  }
  const until = { monotonic: sentAt.monotonic + keepMs, wall: sentAt.wall + keepMs };
  const principals = organizations.reduce((count, organization) => count + organization.principals.length, 0);
  const bytes = 1_500 + 2 * question.length + 1_500 * organizations.length + 300 * principals;
  return { keys, value: { standing, callerId: caller.id, until }, bytes };
}
