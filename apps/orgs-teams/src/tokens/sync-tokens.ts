import { type Queryable, sql } from '@platform/postgres';
import type { Deadline, Sealed, Sealer, Secret } from '@platform/service';
import type { SealedTable } from '@platform/writes';

/** The owner of a sync token: an organization or, deprecated, a user in the organization. */
export interface SyncTokenHolder {
  readonly organizationId: number;
  /** Null: the token belongs to the organization itself. */
  readonly userId: number | null;
}

/** Credentials for the multi-cluster manager. */
export interface SyncCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
}

interface SyncTokenRow extends Sealed {
  /** Id of the user. For a token of the organization, id of its hidden system admin, or 0 if there is none. */
  readonly userId: number;
  readonly orgName: string;
  readonly accessKeyId: string;
}

/** Returns the identity of a sync token's secret, for `seal` and `open` of a {@link Sealer}. */
export function sealIdentity({ organizationId, userId }: SyncTokenHolder): string {
  return `sync_token/${organizationId}/${userId ?? 0}`;
}

export async function readSyncToken(
  queryable: Queryable, { organizationId, userId }: SyncTokenHolder, deadline: Deadline,
): Promise<SyncTokenRow | undefined> {
  return queryable.maybeOne(sql<SyncTokenRow>`
    select coalesce(token.user_id, system_admin.id, 0) as "userId", organization.name as "orgName",
           token.access_key_id as "accessKeyId", token.sealed_by as "keyId", token.sealed_secret as "bytes"
      from sync_token token
      join account organization on organization.id = token.organization_id
      left join account system_admin on system_admin.system_admin_of = token.organization_id
     where token.organization_id = ${organizationId} and token.user_id is not distinct from ${userId}::bigint`,
  { deadline });
}

export async function replaceSyncToken(
  queryable: Queryable, sealer: Sealer, holder: SyncTokenHolder, { accessKeyId, secretAccessKey }: SyncCredentials,
): Promise<void> {
  const { keyId, bytes } = sealer.seal(secretAccessKey, sealIdentity(holder));
  await queryable.execute(sql`
    insert into sync_token (organization_id, user_id, access_key_id, sealed_by, sealed_secret)
    values (${holder.organizationId}, ${holder.userId}::bigint, ${accessKeyId}, ${keyId}, ${bytes})
    on conflict on constraint sync_token_holder do update
       set access_key_id = excluded.access_key_id, sealed_by = excluded.sealed_by,
           sealed_secret = excluded.sealed_secret, updated_at = now()`);
}

export async function deleteSyncToken(
  queryable: Queryable, { organizationId, userId }: SyncTokenHolder,
): Promise<boolean> {
  const deleted = await queryable.execute(sql`
    delete from sync_token where organization_id = ${organizationId} and user_id is not distinct from ${userId}::bigint`);
  return deleted > 0;
}

/** Where the sealed values of sync tokens are, so that `platform admin keys rotate` seals them again. */
export const sealedSyncTokens: SealedTable<SyncTokenHolder> = {
  table: 'sync_token',
  columns: sql`organization_id as "organizationId", user_id as "userId"`,
  identityOf: sealIdentity,
};
