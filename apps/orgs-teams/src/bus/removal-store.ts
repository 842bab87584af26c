import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** Returns the keys that belong neither to a stored account nor to an account that is queued for deletion. */
export async function findUnknown(
  queryable: Queryable, publicKeys: readonly string[], deadline: Deadline,
): Promise<string[]> {
  const rows = await queryable.query(sql<{ publicKey: string }>`
    select held.public_key as "publicKey" from unnest(${publicKeys}::text[]) as held (public_key)
     where not exists (select from bus_account where bus_account.public_key = held.public_key)
       and not exists (
         select from bus_account_removal where bus_account_removal.public_key = held.public_key
       )`, { deadline });
  return rows.map(({ publicKey }) => publicKey);
}

/** Queues accounts for deletion at the servers. Skips accounts that are queued already. */
export async function insertRemovals(
  queryable: Queryable,
  removals: readonly { readonly publicKey: string; readonly organizationId: number }[],
  deadline: Deadline,
): Promise<void> {
  await queryable.execute(sql`
    insert into bus_account_removal (public_key, organization_id)
    select * from jsonb_to_recordset(${JSON.stringify(removals)}::jsonb) as x ("publicKey" text, "organizationId" bigint)
    on conflict do nothing`, { deadline });
}

/** Returns the public keys of up to `most` accounts that are queued for deletion, the first queued first. */
export async function readRemovals(queryable: Queryable, most: number, deadline: Deadline): Promise<string[]> {
  const rows = await queryable.query(sql<{ publicKey: string }>`
    select public_key as "publicKey" from bus_account_removal order by created_at limit ${most}`, { deadline });
  return rows.map(({ publicKey }) => publicKey);
}

export async function deleteRemovals(
  queryable: Queryable, publicKeys: readonly string[], deadline: Deadline,
): Promise<void> {
  await queryable.execute(
    sql`delete from bus_account_removal where public_key = any (${publicKeys}::text[])`, { deadline },
  );
}
