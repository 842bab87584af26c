import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CheckViolation, connect, type Database, sql, type Statement } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { seeded, type SeededRandom, testDatabase } from '@platform/testing';
import { isActive } from '../contracts/binding-row.ts';
import { readAssociatedClusters } from './associated-clusters.ts';

const owners = [1, 2];
const clusters = Array.from({ length: 12 }, (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
/** Aborts the transaction of a writer. */
class GivenUp extends Error {}

let database: Database;

beforeAll(async () => {
  const { url, schema } = await testDatabase('contracts-licensing');
  database = connect({ url, schema, applicationName: 'spec', maxConnections: 8 });
});
afterAll(async () => database[Symbol.asyncDispose]());

// A transaction with a single change never fails by a deadlock, because changes lock clusters in a fixed order.
it.each([
  { writers: 8, transactions: 60, changesInEach: 1, attempts: 1 },
  { writers: 3, transactions: 20, changesInEach: 2, attempts: 100 },
])('clusters are associated as their contracts say under concurrent changes: $changesInEach in a transaction', async (
  { writers, transactions, changesInEach, attempts },
) => {
  await Promise.all(Array.from({ length: writers }, async (_, writer) => {
    const random = seeded(`writer ${writer}`);
    for (let number = 0; number < transactions; number += 1) await change(random, changesInEach, attempts);
  }));

  const kept = await database.query(sql`
    select owner_id, cluster_uid, active::text from associated_cluster order by 1, 2`);
  const counted = await database.query(sql`
    select contract.owner_id, binding.cluster_uid,
           range_agg(tstzrange(contract.starts_at, contract.ends_at))::text as active
      from contract join contract_cluster binding on binding.contract_id = contract.id
     where contract.revoked_at is null group by 1, 2 order by 1, 2`);
  expect(kept).toEqual(counted);
  expect(kept.length).toBeGreaterThan(0);
  for (const owner of owners) expect(await listed(owner)).toEqual(await associated(owner));
}, 60_000);

it('a cluster leaves the list at the moment at which its last contract ends, and comes when the next one begins', async () => {
  const [owner, cluster] = [3, clusters[0]!];
  const contractOf = (from: string, until: string) => database.one(sql<{ id: number }>`
    insert into contract (owner_id, name, product, features, starts_at, ends_at)
    values (${owner}, 'Timed', 'platform', '{}', now() + ${from}::interval, now() + ${until}::interval) returning id`);
  const [past, future] = [await contractOf('-2 hours', '-1 hour'), await contractOf('1 hour', '2 hours')];
  await bind([past.id, future.id], [cluster]);
  expect(await listed(owner)).toEqual([]);
  const { id } = await contractOf('-1 hour', '1 second');
  await bind([id], [cluster]);
  const { ended } = await database.one(sql<{ ended: boolean }>`
    select ends_at <= now() as ended from contract where id = ${id}`);
  expect(ended || (await listed(owner)).length === 1).toBe(true);
  await database.one(sql`select pg_sleep_until(ends_at) from contract where id = ${id}`);
  expect(await listed(owner)).toEqual([]);
  await database.execute(sql`update contract set ends_at = now() + interval '1 day' where id = ${id}`);
  expect(await listed(owner)).toEqual([cluster]);
  await database.execute(sql`update contract set owner_id = 4 where id = ${id}`);
  expect([await listed(owner), await listed(4)]).toEqual([[], [cluster]]);
});

it('a cluster may have any number of contracts with times of their own', async () => {
  const [owner, cluster] = [5, clusters[0]!];
  const rows = await database.query(sql<{ id: number }>`
    insert into contract (owner_id, name, product, features, starts_at, ends_at)
    select ${owner}, 'Apart', 'platform', '{}', now() - random() * interval '1 hour' + day * interval '1 day',
           now() + day * interval '1 day' + interval '1 minute' * (1 + 1000 * random())
      from generate_series(0, 999) day returning id`);
  await bind(rows.map(({ id }) => id), [cluster]);
  expect(await listed(owner)).toEqual([cluster]);
});

it.each([
  sql`update contract_cluster set cluster_uid = gen_random_uuid()`,
  sql`update contract_cluster set contract_id = 1`,
  sql`truncate contract_cluster`,
  sql`truncate contract cascade`,
])('a binding is neither moved nor truncated: $text', async (statement) => {
  await expect(database.execute(statement)).rejects.toThrow(CheckViolation);
});

/** Makes random changes: contracts are created, bound, unbound, changed, moved, revoked and deleted. */
async function change(random: SeededRandom, number: number, attempts: number): Promise<void> {
  await database.transact(async (transaction) => {
    for (let left = number; left > 0; left -= 1) await transaction.execute(random.pick(changes)(random));
    if (random.chance(0.2)) throw new GivenUp();
  }, { attempts }).catch((error: unknown) => {
    if (!(error instanceof GivenUp)) throw error;
  });
}

const some = (random: SeededRandom) => sql`${random.shuffle(clusters).slice(0, random.integer(1, 4)).sort()}::uuid[]`;
const anyContract = (random: SeededRandom) => sql`
  select id from contract where owner_id = ${random.pick(owners)} order by id offset ${random.integer(0, 20)} limit 1`;
const time = (random: SeededRandom, from: number, to: number) => sql`
  date_trunc('second', now()) + ${random.integer(from, to)} * interval '1 hour'`;
// Adding a binding locks the contract (`for key share`). This lock permits changes of the owner and the times.
const changes: ((random: SeededRandom) => Statement)[] = [
  (random) => sql`
    with added as (
      insert into contract (owner_id, name, product, features, starts_at, ends_at)
      select ${random.pick(owners)}, 'Any', 'platform', '{}', ${time(random, -9, 3)}, ${time(random, 4, 9)}
        from generate_series(1, ${random.integer(1, 2)}) returning id
    )
    insert into contract_cluster (contract_id, cluster_uid) select id, uid from added, unnest(${some(random)}) uid`,
  (random) => sql`
    insert into contract_cluster (contract_id, cluster_uid)
    select id, uid from (${anyContract(random)} for key share) contract, unnest(${some(random)}) uid
        on conflict do nothing`,
  (random) => sql`
    delete from contract_cluster
     where contract_id = (${anyContract(random)} for key share) and cluster_uid = any (${some(random)})`,
  (random) => sql`
    update contract set ends_at = ${time(random, 4, 9)}, starts_at = ${time(random, -9, 3)}
     where id = (${anyContract(random)})`,
  (random) => sql`update contract set owner_id = ${random.pick(owners)} where id = (${anyContract(random)})`,
  (random) => sql`
    update contract set revoked_at = now() where id = (${anyContract(random)}) and revoked_at is null`,
  (random) => sql`delete from contract where id = (${anyContract(random)})`,
];

function bind(ids: readonly number[], uids: readonly string[]): Promise<unknown> {
  return database.execute(sql`
    insert into contract_cluster (contract_id, cluster_uid)
    select id, uid from unnest(${ids}::bigint[]) id, unnest(${uids}::uuid[]) uid`);
}

async function listed(owner: number): Promise<string[]> {
  const page = { limit: 1_000, offset: 0, after: undefined };
  const { items, total } = await readAssociatedClusters(database, owner, page, deadlineIn(5_000));
  expect(total).toBe(items.length);
  return items.map(({ cluster }) => cluster);
}

/** The clusters of active contracts, computed from the contracts and bindings. */
async function associated(owner: number): Promise<string[]> {
  const rows = await database.query(sql<{ uid: string }>`
    select distinct binding.cluster_uid as uid
      from contract join contract_cluster binding on binding.contract_id = contract.id
     where contract.owner_id = ${owner} and ${isActive(sql`contract`)} order by 1`);
  return rows.map(({ uid }) => uid);
}
