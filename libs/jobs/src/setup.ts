import { type Database, type openClientPool, sql } from '@platform/postgres';
import { attemptsWithoutEnd } from './add-jobs.ts';

/**
 * Makes what jobs need in the service's own schema, where it is missing: the tables of graphile-worker, which brings
 * its migrations, and ours beside them. No right beyond those on the schema is needed. Several replicas may call it at
 * once, and graphile-worker repeats its part at each start.
 */
export async function setUpJobs(database: Database, pool: ReturnType<typeof openClientPool>): Promise<void> {
  const { schema, isThere } = await database.one(sql<{ schema: string; isThere: boolean }>`
    select current_schema() as "schema", to_regclass('job_replica') is not null as "isThere"`);
  if (isThere) return;
  // graphile-worker creates its schema when it does not find this table, and a service may not create schemas.
  await underLock(database, schema, [sql`
    create table if not exists migrations (
      id integer primary key,
      ts timestamptz not null default now(),
      breaking boolean not null default false
    )`]);
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: pool, schema });
  await underLock(database, schema, [
    // Its own back-off grows to hours: here it is 1 s, doubled with each failure up to 5 min, with jitter. A job whose
    // attempts are used up was replaced while it ran.
    sql`
    create or replace function job_backoff() returns trigger language plpgsql as $$
    begin
      new.run_at := clock_timestamp()
        + least(power(2, least(old.attempts, 10) - 1), 300) * (0.5 + random() / 2) * interval '1 second';
      if old.attempts between 1000 and old.max_attempts - 1 then
        new.attempts := 1000;
      end if;
      return new;
    end $$`,
    sql`
    create or replace trigger job_backoff before update of last_error on _private_jobs for each row
      when (old.locked_at is not null and new.locked_at is null) execute function job_backoff()`,
    sql`create index if not exists job_locked on _private_jobs (locked_by) where locked_by is not null`,
    // Replicas that are alive, each under the name it locks jobs with.
    sql`
    create table if not exists job_replica (
      name text primary key,
      seen_at timestamptz not null default now()
    )`,
  ]);
}

/** The lock of the schema's own migrations (libs/postgres): statements of two replicas would trip over each other. */
async function underLock(database: Database, schema: string, statements: readonly ReturnType<typeof sql>[]) {
  await database.transact(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('platform.migrate.' || ${schema}, 0))`);
    for (const statement of statements) await transaction.execute(statement);
  }, { lockTimeout: 30_000 });
}

/** Whether a job may still run by itself; others were replaced by a newer one of their key while they ran. */
export const isAlive = sql`attempts < ${attemptsWithoutEnd}`;
