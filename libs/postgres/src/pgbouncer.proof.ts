import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeadlineExceeded, deadlineIn } from '@platform/service';
import { findPgBouncer, type PgBouncer, type ProofOptions, type ProofResult, seeded, testDatabase, until } from '@platform/testing';
import { openClientPool } from './client-pool.ts';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { PostgresUnavailable } from './errors.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

export const name = 'pgbouncer';
export const describe = 'Behind Debian\'s PgBouncer in session mode, 5,000 statements, transactions, cancelled statements, '
  + 'notifications and migrations work as they do without PgBouncer, also while PgBouncer restarts.';
export const servers = true;

const wholeSteps = 5_000;
/**
 * Number of lanes: the maximum number of concurrent cancellations. Without a cancellation, a statement would run until
 * the server ends it.
 */
const atOnce = 4;
/** Fewer connections than lanes, so that lanes wait for one. */
const connections = 3;
const poolSize = 24;
/** Longer than a cancellation takes on a busy machine. */
const patienceMs = 60_000;

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const startPgBouncer = await findPgBouncer();
  if (startPgBouncer === undefined) {
    return { figure: 'there is no PgBouncer: Debian has it in the package pgbouncer (apt-get install pgbouncer)', holds: undefined };
  }
  await using place = await testDatabase('postgres-spec');
  const { superuserUrl, schema } = place;
  await using pooler = await startPgBouncer({ mode: 'session', superuserUrl, poolSize });
  const url = pooler.through(place.url);
  const wrong = await wrongMigrations(url, schema);
  await using database = connect({ url, schema, applicationName: 'proof', maxConnections: connections, statementTimeout: patienceMs });
  wrong.push(...await wrongSettings(database, schema), ...await wrongNotifications(url));
  const steps = Math.max(100, Math.round(wholeSteps * share));
  const counts = { done: 0, cancelled: 0, lost: 0, restartedAt: new Date() };
  await takeSteps(database, pooler, { seed, steps, report, wrong, counts });
  await using direct = connect({ url: place.url, applicationName: 'proof direct' });
  const runOn = () => direct.one(sql<{ running: number }>`
    select count(*)::integer as running from pg_stat_activity where state = 'active' and query like '%pg_sleep%'
       and query_start > ${counts.restartedAt} and pid <> pg_backend_pid() and datname = current_database()`);
  await until(async () => (await runOn()).running === 0, { within: patienceMs / 3, what: 'statements are cancelled' })
    .catch(async () => wrong.push(`${(await runOn()).running} statements run on after their callers have given up`));
  const { rows } = await database.one(sql<{ rows: number }>`select count(*)::integer as rows from step`);
  if (rows !== counts.done) wrong.push(`${counts.done} rows were written, ${rows} are there`);
  return {
    figure: `${steps} steps, ${counts.cancelled} cancelled, ${counts.lost} lost while it was started again`,
    holds: wrong.length === 0,
    counterexamples: wrong,
  };
}

/** Two replicas migrate at the same time. */
async function wrongMigrations(url: string, schema: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-pgbouncer-proof-'));
  try {
    await writeFile(join(directory, '20261128010000-step.sql'), 'create table step (id int8 primary key, note text);');
    const results = await Promise.all([1, 2].map(() => migrate({ url, schema, directory })));
    const applied = results.flatMap((result) => result.applied).length;
    return applied === 1 ? [] : [`one migration was applied ${applied} times`];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function wrongSettings(database: Database, schema: string): Promise<string[]> {
  const wanted = {
    TimeZone: 'UTC', search_path: schema, lock_timeout: '2s', statement_timeout: '1min', plan_cache_mode: 'force_generic_plan',
    random_page_cost: '1.1', idle_in_transaction_session_timeout: '2min',
  };
  const found = await database.query(sql<{ name: string; setting: string }>`
    select name, current_setting(name) as setting from pg_settings where name = any(${Object.keys(wanted)}::text[])`);
  return found.filter(({ name: key, setting }) => wanted[key as keyof typeof wanted] !== setting)
    .map(({ name: key, setting }) => `${key} is ${setting}`);
}

/** Uses notifications as graphile-worker does. */
async function wrongNotifications(url: string): Promise<string[]> {
  const pool = openClientPool({ url, applicationName: 'proof listener' });
  try {
    const listener = await pool.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query('listen proof');
    await pool.query(`select pg_notify('proof', 'here')`);
    await until(() => heard.length > 0, { within: 10_000, what: 'a notification' });
    listener.release();
    return heard[0] === 'here' ? [] : [`heard ${heard.join(', ')}`];
  } finally {
    await pool.end();
  }
}

interface Steps {
  readonly seed: number;
  readonly steps: number;
  readonly report: ProofOptions['report'];
  readonly wrong: string[];
  readonly counts: { done: number; cancelled: number; lost: number; restartedAt: Date };
}

/** Runs a mix of statements, transactions and cancelled statements, and restarts PgBouncer twice meanwhile. */
async function takeSteps(
  database: Database, pooler: PgBouncer, { seed, steps, report, wrong, counts }: Steps,
): Promise<void> {
  const restarts = new Set([Math.floor(steps / 3), Math.floor(2 * steps / 3)]);
  let next = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let id = next += 1; id <= steps; id = next += 1) {
      if (restarts.has(id)) {
        await pooler.restart();
        counts.restartedAt = new Date();
      }
      if (id % 500 === 0) report(`${id} of ${steps} steps`);
      const random = seeded(seed + id);
      try {
        if (random.integer(0, 19) === 0) await giveUp(database, counts, wrong);
        else {
          const made = await write(database, id, random.integer(0, 1) === 0);
          counts.done += made;
        }
      } catch (error) {
        if (!(error instanceof PostgresUnavailable)) wrong.push(`step ${id}: ${String(error)}`);
        counts.lost += 1;
        // The row may have been written before the connection was lost.
        const made = await untilAnswered(() => database.execute(sql`select from step where id = ${id}`));
        counts.done += made;
      }
    }
  }));
}

async function write(database: Database, id: number, inTransaction: boolean): Promise<number> {
  const statement = sql`insert into step (id, note) values (${id}, ${`step ${id}`})`;
  if (!inTransaction) return await database.execute(statement);
  return await database.transact(async (work) => {
    const made = await work.execute(statement);
    const { note } = await work.one(sql<{ note: string }>`select note from step where id = ${id}`);
    return note === `step ${id}` ? made : 0;
  });
}

/** Lets a statement be cancelled. If the cancellation hit another statement, the other statement would fail. */
async function giveUp(database: Database, counts: Steps['counts'], wrong: string[]): Promise<void> {
  try {
    await database.query(sql`select pg_sleep(300)`, { deadline: deadlineIn(100) });
    wrong.push('a statement of 300 s was over at once');
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    counts.cancelled += 1;
  }
}

async function untilAnswered(ask: () => Promise<number>): Promise<number> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PostgresUnavailable)) throw error;
    }
  }
}
