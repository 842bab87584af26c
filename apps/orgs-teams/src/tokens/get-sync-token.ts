import { notFound } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { CallerContext, Handler, OrganizationContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readSyncToken, sealIdentity, type SyncTokenHolder } from './sync-tokens.ts';

/** Whose token a route is about: the organization's or, on the deprecated route, the caller's in the organization. */
export type SyncTokenOf = 'organization' | 'caller';

export function syncTokenHolder(
  of: SyncTokenOf, { account, caller }: CallerContext & OrganizationContext,
): SyncTokenHolder {
  return { organizationId: account.id, userId: of === 'caller' ? caller.id : null };
}

/** GET /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4): returns the full secret. */
export function getSyncToken(
  { database, sealer }: Parts, of: SyncTokenOf,
): Handler<typeof TokenServiceService.getSyncToken> {
  return async (_request, context) => {
    const holder = syncTokenHolder(of, context);
    const row = await readSyncToken(database, holder, context.deadline);
    if (row === undefined) throw notFound('there is no such token');
    const { userId, orgName, accessKeyId } = row;
    const secretAccessKey = sealer.open(row, sealIdentity(holder)).reveal();
    return { userId, orgId: holder.organizationId, orgName, accessKeyId, secretAccessKey };
  };
}
