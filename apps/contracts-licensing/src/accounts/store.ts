import type { OwnerAccount } from '@platform/owners';
import { type Fragment, type Queryable, sql } from '@platform/postgres';

/** Stores an account that got a contract before its own fact arrived. */
export async function rememberAccount(queryable: Queryable, { id, name, kind }: OwnerAccount): Promise<void> {
  await queryable.execute(sql`
    insert into account (id, slug, kind) values (${id}, ${name}, ${kind}) on conflict (id) do nothing`);
}

/** Contracts of an account; of all accounts if it is undefined. */
export function ownedBy(ownerId: number | undefined): Fragment {
  return ownerId === undefined ? sql`true` : sql`contract.owner_id = ${ownerId}`;
}
