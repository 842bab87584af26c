import { type Queryable, sql } from '@platform/postgres';

/** Adds a row for an unknown subscription. @returns whether its contracts were created and revoked */
export async function lockSubscription(
  queryable: Queryable, id: string,
): Promise<{ readonly made: boolean; readonly revoked: boolean }> {
  await queryable.execute(sql`insert into marketplace_subscription (id) values (${id}) on conflict (id) do nothing`);
  return queryable.one(sql<{ made: boolean; revoked: boolean }>`
    select made_at is not null as "made", revoked_at is not null as "revoked"
      from marketplace_subscription where id = ${id} for no key update`);
}

export async function noteMade(queryable: Queryable, id: string): Promise<void> {
  await queryable.execute(sql`update marketplace_subscription set made_at = now() where id = ${id}`);
}

/** Notes that a subscription gets no more contracts. */
export async function noteRevoked(queryable: Queryable, id: string): Promise<void> {
  await queryable.execute(sql`update marketplace_subscription set revoked_at = now() where id = ${id}`);
}

export async function findContractIds(queryable: Queryable, id: string): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from contract where subscription_id = ${id} order by id`);
  return rows.map((row) => row.id);
}

/** Revokes the contracts of a subscription that are not revoked yet. @returns the ids of the revoked contracts */
export async function revokeContracts(queryable: Queryable, id: string): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    with open as materialized (
      select id from contract where subscription_id = ${id} and revoked_at is null order by id for no key update
    )
    update contract set revoked_at = now() from open where contract.id = open.id
    returning contract.id`);
  return rows.map((row) => row.id).toSorted((one, other) => one - other);
}
