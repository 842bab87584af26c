import type { OwnerAccount } from '@platform/owners';
import { type Fragment, type Queryable, sql } from '@platform/postgres';

/** Stores the owner of a new contract in the table `account`, because the fact (libs/facts) may arrive later. */
export async function rememberAccount(queryable: Queryable, { id, name, kind }: OwnerAccount): Promise<void> {
  await queryable.execute(sql`
    insert into account (id, slug, kind) values (${id}, ${name}, ${kind}) on conflict (id) do nothing`);
}

/** SQL condition: the contract belongs to this account. Always true if no account is given. */
export function ownedBy(ownerId: number | undefined): Fragment {
  return ownerId === undefined ? sql`true` : sql`contract.owner_id = ${ownerId}`;
}
