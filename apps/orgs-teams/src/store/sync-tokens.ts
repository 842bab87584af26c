import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline, Sealed, Sealer } from '@platform/service';
import { SealBroken } from '@platform/service';
import type { SyncCredentials } from '../domain/sync-token.ts';

/** Whose sync token: the organization's own, or (deprecated) that of one caller in it. */
export interface SyncTokenHolder {
  readonly organizationId: number;
  /** Null: the organization's own. */
  readonly userId: number | null;
}

/** A sync token as it is read. */
export interface SyncTokenRow extends Sealed {
  /** The caller, or the organization's hidden system admin. */
  readonly userId: number;
  readonly orgName: string;
  readonly accessKeyId: string;
}

/** Names the row a secret is sealed for. */
export function sealIdentity({ organizationId, userId }: SyncTokenHolder): string {
  return `sync_token/${organizationId}/${userId ?? 0}`;
}

export async function readSyncToken(
  queryable: Queryable,
  { organizationId, userId }: SyncTokenHolder,
  deadline: Deadline,
): Promise<SyncTokenRow | undefined> {
  return queryable.maybeOne(
    sql<SyncTokenRow>`
      select coalesce(token.user_id, system_admin.id, 0) as "userId", organization.name as "orgName",
             token.access_key_id as "accessKeyId", token.sealed_by as "keyId", token.sealed_secret as "bytes"
        from sync_token token
        join account organization on organization.id = token.organization_id
        left join account system_admin on system_admin.system_admin_of = token.organization_id
       where token.organization_id = ${organizationId} and token.user_id is not distinct from ${userId}::bigint`,
    { deadline },
  );
}

/** Sets the token, in place of one that exists. */
export async function replaceSyncToken(
  queryable: Queryable,
  sealer: Sealer,
  holder: SyncTokenHolder,
  { accessKeyId, secretAccessKey }: SyncCredentials,
): Promise<void> {
  const { keyId, bytes } = sealer.seal(secretAccessKey, sealIdentity(holder));
  await queryable.execute(sql`
    insert into sync_token (organization_id, user_id, access_key_id, sealed_by, sealed_secret)
    values (${holder.organizationId}, ${holder.userId}::bigint, ${accessKeyId}, ${keyId}, ${bytes})
    on conflict on constraint sync_token_holder do update
       set access_key_id = excluded.access_key_id, sealed_by = excluded.sealed_by,
           sealed_secret = excluded.sealed_secret, updated_at = now()`);
}

/** Removes the token; answers whether there was one. */
export async function deleteSyncToken(
  queryable: Queryable,
  { organizationId, userId }: SyncTokenHolder,
): Promise<boolean> {
  const deleted = await queryable.execute(sql`
    delete from sync_token where organization_id = ${organizationId} and user_id is not distinct from ${userId}::bigint`);
  return deleted > 0;
}

/** What became of one batch of rows that an older key had sealed. */
export interface Resealed {
  readonly resealed: number;
  readonly unreadable: number;
  /** Where the next batch begins; undefined when this was the last. */
  readonly after: number | undefined;
}

/**
 * Seals the next rows with the newest key, by ascending id. What is replaced meanwhile is waited for and, where the
 * newest key has sealed it, left alone.
 */
export async function resealSyncTokens(
  queryable: Queryable,
  sealer: Sealer,
  after: number,
  most: number,
): Promise<Resealed> {
  const rows = await queryable.query(sql<SyncTokenHolder & Sealed & { readonly id: number }>`
    select id, organization_id as "organizationId", user_id as "userId", sealed_by as "keyId", sealed_secret as "bytes"
      from sync_token
     where sealed_by <> ${sealer.keyId} and id > ${after}
     order by id limit ${most}
       for no key update`);
  const opened = rows.flatMap((row) => {
    const sealed = sealAnew(sealer, row);
    return sealed === undefined ? [] : [{ id: row.id, bytes: sealed.bytes }];
  });
  await queryable.execute(sql`
    update sync_token token
       set sealed_by = ${sealer.keyId}, sealed_secret = fresh.bytes
      from unnest(${opened.map(({ id }) => id)}::bigint[], ${opened.map(({ bytes }) => bytes)}::bytea[]) fresh (id, bytes)
     where token.id = fresh.id`);
  return { resealed: opened.length, unreadable: rows.length - opened.length, after: rows.at(-1)?.id };
}

function sealAnew(sealer: Sealer, row: SyncTokenHolder & Sealed): Sealed | undefined {
  const identity = sealIdentity(row);
  try {
    return sealer.seal(sealer.open(row, identity), identity);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
