import type { GetSyncTokenRequest, SyncToken } from '@platform/proto/orgs/v1/token';
import { type CallContext, type Handler, notFound } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readSyncToken, sealIdentity, type SyncTokenHolder } from '../store/sync-tokens.ts';

/** Whose token a route is about: the organization's, or (deprecated) the caller's in it. */
export type SyncTokenOf = 'organization' | 'caller';

export function syncTokenHolder(of: SyncTokenOf, { organization, caller }: CallContext): SyncTokenHolder {
  return { organizationId: organization!.id, userId: of === 'caller' ? caller!.id : null };
}

/** GET /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4): the secret in full. */
export function getSyncToken({ database, sealer }: Parts, of: SyncTokenOf): Handler<GetSyncTokenRequest, SyncToken> {
  return async (_request, context) => {
    const holder = syncTokenHolder(of, context);
    const row = await readSyncToken(database, holder, context.deadline);
    if (row === undefined) throw notFound('there is no such token');
    return {
      userId: row.userId,
      orgId: holder.organizationId,
      orgName: row.orgName,
      accessKeyId: row.accessKeyId,
      secretAccessKey: sealer.open(row, sealIdentity(holder)).reveal(),
    };
  };
}
