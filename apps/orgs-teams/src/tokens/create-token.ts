import { notFound } from '@platform/faults';
import type { AdminServiceService, CreateTokenRequest } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { controlCharacterProblem, lengthProblem, uuidProblem, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { newToken, tokenDigest } from '../standing/access-token.ts';
import { lock } from '../write/locks.ts';
import { scopesOf } from './requested-token.ts';
import { revocationOf } from './revoke-token.ts';
import { deleteTokenOfRequest, insertToken } from './store.ts';
import { findTokenHolder, type TokenHolder } from './token-holder.ts';

/** Maximum of `expiresInSeconds`: a hundred years of 366 days. */
const longestSeconds = 100 * 366 * 86_400;

/**
 * `platform admin token create` (open-points 1.3). Stores a hash and the last eight characters of the token. If an
 * earlier call had the same `request`, replaces the token of that call.
 */
export function createToken({ config, database, write }: Parts): Handler<typeof AdminServiceService.createToken> {
  return async (request, context) => {
    const scopes = checked(request);
    const { name = '', expiresInSeconds, clusterUid, request: madeFor } = request;
    const [kind, account] =
      request.user === '' ? (['organization', request.organization] as const) : (['person', request.user] as const);
    const holder = await findTokenHolder(database, kind, account);
    if (holder === undefined) throw noHolder(request);
    const { accountId, accountKind, organizationId } = holder;
    const token = newToken();
    const id = await write(context, locksOf(holder), async (work) => {
      if (madeFor !== undefined) work.audit(...(await deleteTokenOfRequest(work, madeFor)).map(revocationOf));
      const inserted = await insertToken(work, {
        ...tokenDigest(config.tokenKey, token), accountId, accountKind, name, scopes, request: madeFor,
        end: expiresInSeconds === 0 ? null : expiresInSeconds, clusterId: clusterUid ?? null,
      });
      if (inserted === undefined) throw noHolder(request);
      work.audit({
        action: 'token.create', object: `token:${inserted}`, ...(organizationId === null ? {} : { organizationId }),
        subjectIds: [accountId], details: { accountId, account, name, scopes, expiresInSeconds },
      });
      return inserted;
    });
    return { id, token };
  };
}

/** Validates a request. @returns the scopes of the new token @throws Fault VALIDATION_FAILED */
function checked(request: CreateTokenRequest): readonly string[] {
  const { user, organization, name = '', expiresInSeconds, clusterUid, request: madeFor } = request;
  const violations = new Violations();
  if ((user === '') === (organization === '')) violations.note('user', 'or organization must be given, but not both');
  if (clusterUid !== undefined) violations.note('clusterUid', uuidProblem(clusterUid));
  if (madeFor !== undefined) violations.note('request', uuidProblem(madeFor));
  if (name === '') violations.note('name', 'must not be empty');
  violations.note('name', lengthProblem(name, { most: 100 }) ?? controlCharacterProblem(name));
  if (expiresInSeconds < 0 || expiresInSeconds > longestSeconds) {
    violations.note('expiresInSeconds', `must be between 0 and ${longestSeconds}`);
  }
  const scopes = scopesOf(violations, request.scopes?.scopes ?? []);
  violations.refuse();
  return scopes;
}

function locksOf({ accountId, organizationId }: TokenHolder) {
  return [lock.permission(accountId), ...(organizationId === null ? [] : [lock.permission(organizationId)])];
}

function noHolder({ user, organization }: CreateTokenRequest) {
  return notFound(user === '' ? `there is no organization ${organization}` : `there is no user ${user}`);
}
