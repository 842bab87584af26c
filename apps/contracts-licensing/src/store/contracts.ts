import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { ObjectOwner } from '@platform/rpc';

/** A row of `contract`. */
export interface ContractRow {
  id: number;
  /** UUID in lower case, by which a repeated put finds the contract again. */
  idempotencyKey: string;
  name: string;
  ownerId: number;
  createdAt: Date;
}

/** What a row is made of. */
export type NewContract = Pick<ContractRow, 'idempotencyKey' | 'name' | 'ownerId'>;

/** Constraint broken by rows for a closed owner. */
export const ownerOpenConstraint = 'contract_owner_open';

const columns = sql`
  id, idempotency_key as "idempotencyKey", name, owner_id as "ownerId", created_at as "createdAt"`;

/** Owners of the contracts that exist, by id (authorization.md R2). */
export async function findOwners(
  database: Queryable,
  ids: readonly number[],
  options: QueryOptions,
): Promise<Map<number, ObjectOwner>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ id: number; ownerId: number }>(
    sql`select id, owner_id as "ownerId" from contract where id = any(${ids}::bigint[])`,
    options,
  );
  return new Map(rows.map(({ id, ownerId }) => [id, { ownerId }]));
}

/** How many contracts an account has. */
export async function countOfOwner(database: Queryable, ownerId: number): Promise<number> {
  const { held } = await database.one<{ held: number }>(
    sql`select count(*) as held from contract where owner_id = ${ownerId}`,
  );
  return held;
}

/**
 * Adds those whose key is not known yet.
 * @throws CheckViolation of {@link ownerOpenConstraint}
 */
export async function addMissing(database: Queryable, contracts: readonly NewContract[]): Promise<void> {
  // Known ones are left out beforehand, because each conflict would use up an id. In the order of keys, so that two
  // such statements wait for each other only one way round.
  await database.execute(sql`
    insert into contract (idempotency_key, owner_id, name)
    select g.idempotency_key, g.owner_id, g.name
      from ${given(contracts)}
     where not exists (select from contract c where c.idempotency_key = g.idempotency_key)
     order by g.idempotency_key
        on conflict (idempotency_key) do nothing`);
}

/** Locks the rows of these keys until the transaction ends, and answers them; unknown ones are left out. */
export function lockByKey(database: Queryable, keys: readonly string[]): Promise<ContractRow[]> {
  return database.query<ContractRow>(
    sql`select ${columns} from contract where idempotency_key = any(${keys}::uuid[])
      order by idempotency_key for no key update`,
  );
}

/** Gives rows the names that they do not have yet. Their locks must be held (see {@link lockByKey}). */
export async function rename(database: Queryable, contracts: readonly NewContract[]): Promise<void> {
  await database.execute(sql`
    update contract c set name = g.name
      from ${given(contracts)}
     where c.idempotency_key = g.idempotency_key`);
}

/**
 * Gives a contract to another owner, and answers it; undefined when there is none.
 * @throws CheckViolation of {@link ownerOpenConstraint}
 */
export function move(
  database: Queryable,
  id: number,
  ownerId: number,
  options: QueryOptions,
): Promise<ContractRow | undefined> {
  return database.maybeOne<ContractRow>(
    sql`update contract set owner_id = ${ownerId} where id = ${id} returning ${columns}`,
    options,
  );
}

/** Deletes a contract; false when there is none. */
export async function remove(database: Queryable, id: number, options: QueryOptions): Promise<boolean> {
  return (await database.execute(sql`delete from contract where id = ${id}`, options)) === 1;
}

function given(contracts: readonly NewContract[]) {
  return sql`unnest(
    ${contracts.map(({ idempotencyKey }) => idempotencyKey)}::uuid[],
    ${contracts.map(({ ownerId }) => ownerId)}::bigint[], ${contracts.map(({ name }) => name)}::text[]
  ) as g (idempotency_key, owner_id, name)`;
}
