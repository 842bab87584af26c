import { type Database, sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { type FactsWorld, startFacts } from './fixtures/world.ts';

export const name = 'facts';
export const describe =
  '100,000 changes of a publisher reach the projection of a follower, none missing and none twice, while both are '
  + 'killed and their connections to PostgreSQL and to each other are cut.';
export const servers = true;

const wholeChanges = 100_000;
const keys = 5_000;
const writers = 4;
const mostDisturbances = 60;
/** Minimum number of changes between two disturbances. */
const leastBetween = 300;

const disturbances: Readonly<Record<string, (world: FactsWorld) => Promise<void>>> = {
  'publisher killed': ({ publisher }) => killed(publisher.replicas[0]!),
  'follower killed': ({ follower }) => killed(follower.replicas[0]!),
  'both killed': async ({ publisher, follower }) => {
    await Promise.all([...publisher.replicas, ...follower.replicas].map(killed));
  },
  'way to PostgreSQL of the publisher cut': async ({ publisher }) => publisher.toPostgres.cut(),
  'way to PostgreSQL of the follower cut': async ({ follower }) => follower.toPostgres.cut(),
  'way between them cut': async ({ way }) => way.cut(),
};

async function killed(replica: FactsWorld['follower']['replicas'][number]): Promise<void> {
  await replica.kill();
  await replica.restart();
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  const changes = Math.max(2_000, Math.round(wholeChanges * share));
  await using world = await startFacts({ followers: 2 });
  const counted = { made: 0 };
  const writing = Promise.all(Array.from({ length: writers }, () =>
    write(world.publisher.database, seeded(random.integer(0, 2 ** 31 - 1)), changes / writers, counted)));
  const between = Math.max(leastBetween, changes / mostDisturbances);
  const kinds = Object.keys(disturbances);
  const met = new Map(kinds.map((kind) => [kind, 0]));
  let isWriting = true;
  void writing.finally(() => {
    isWriting = false;
  });
  for (let round = 0; isWriting || round * between < changes; round += 1) {
    const kind = kinds[round % kinds.length]!;
    await disturbances[kind]!(world);
    met.set(kind, met.get(kind)! + 1);
    if (round % 10 === 9) report(`${counted.made} of ${changes} changes, ${round + 1} disturbances`);
  }
  await writing;
  await world.caughtUp(60_000);
  const twice = await appliedTwice(world.follower.database);
  const { applied } = await world.follower.database.one(sql<{ applied: number }>`
    select count(*)::integer as "applied" from applied`);
  return {
    figure: `${counted.made} changes, 0 missing, ${twice.length} twice; ${applied} facts applied; `
      + [...met].map(([kind, times]) => `${kind}: ${times}`).join(', '),
    holds: twice.length === 0 && counted.made >= changes,
    counterexamples: twice.slice(0, 20),
  };
}

/** Makes changes in transactions of different lengths. Some transactions commit after many that began later. */
async function write(
  database: Database, random: SeededRandom, changes: number, counted: { made: number },
): Promise<void> {
  for (let left = changes; left > 0;) {
    const rows = Math.min(left, random.integer(1, 60));
    const [first, deletes] = [random.integer(0, keys - 1), random.integer(0, 9) === 0];
    const pauseSeconds = random.integer(0, 9) === 0 ? random.integer(1, 300) / 1000 : 0;
    await database.transact(async (transaction) => {
      // Lock in a fixed order, because writers that change the same things wait for each other.
      const series = sql`generate_series(${first}::integer, ${first + rows - 1}) as number`;
      const changed = sql`(select 'thing ' || number as key from ${series})`;
      await transaction.execute(deletes
        ? sql`delete from thing where key in ${changed}`
        : sql`
            insert into thing (key, version) select key, nextval('change')::integer from ${changed} as changed
            on conflict (key) do update set version = excluded.version`);
      if (pauseSeconds > 0) await transaction.query(sql`select pg_sleep(${pauseSeconds})`);
    }, { attempts: 10, lockTimeout: 30_000 });
    left -= rows;
    counted.made += rows;
  }
}

/**
 * Returns the versions that were applied twice, or after a later version of the same row. Deletions have no version: if
 * a row is created and deleted again between two reads, its deletion is correctly applied twice.
 */
async function appliedTwice(database: Database): Promise<string[]> {
  const rows = await database.query(sql<{ key: string; version: number; before: number }>`
    select key, version, before
      from (select key, version, lag(version) over (partition by key order by id) as before
              from applied where version is not null) as steps
     where version <= before`);
  return rows.map(({ key, version, before }) => `${key}: ${version} after ${before}`);
}
