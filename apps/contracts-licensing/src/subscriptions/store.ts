import { type Queryable, sql } from '@platform/postgres';

/** Whether the contracts of a subscription were created, and whether they were revoked. */
export interface SubscriptionState {
  readonly made: boolean;
  readonly revoked: boolean;
}

/** Locks a subscription until the transaction ends. Adds a row for an unknown subscription. */
export async function lockSubscription(queryable: Queryable, id: string): Promise<SubscriptionState> {
  await queryable.execute(sql`insert into marketplace_subscription (id) values (${id}) on conflict (id) do nothing`);
  return queryable.one(sql<SubscriptionState>`
    select made_at is not null as "made", revoked_at is not null as "revoked"
      from marketplace_subscription where id = ${id} for no key update`);
}

/** Notes that the contracts of a subscription were created. */
export async function noteMade(queryable: Queryable, id: string): Promise<void> {
  await queryable.execute(sql`update marketplace_subscription set made_at = now() where id = ${id}`);
}

/** Notes that a subscription gets no more contracts. */
export async function noteRevoked(queryable: Queryable, id: string): Promise<void> {
  await queryable.execute(sql`update marketplace_subscription set revoked_at = now() where id = ${id}`);
}

/** Contracts of a subscription, by ascending id. */
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
