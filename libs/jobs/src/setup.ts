import { type Database, type openClientPool, sql } from '@platform/postgres';
import { attemptsWithoutEnd } from './add-jobs.ts';

/**
 * Creates the tables and triggers of the jobs in the service's own schema, if they are missing. The migrations of
 * graphile-worker create most of them, and the statements below add the others. The database role needs rights on this
 * schema only. Several replicas may call this function at once.
 */
export async function setUpJobs(database: Database, pool: ReturnType<typeof openClientPool>): Promise<void> {
  const { schema, isThere } = await database.one(sql<{ schema: string; isThere: boolean }>`
    select current_schema() as "schema", to_regproc('job_notice') is not null as "isThere"`);
  if (isThere) return;
  // Without this table, graphile-worker would create its schema, but a service may not create schemas.
  await underLock(database, schema, [sql`
    create table if not exists migrations (
      id integer primary key,
      ts timestamptz not null default now(),
      breaking boolean not null default false
    )`]);
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: pool, schema });
  await underLock(database, schema, [
    // graphile-worker's own back-off grows to hours. This back-off starts at 1 s, doubles with each failure, and stays
    // below 5 min. Jitter shortens each pause by up to half. After 1000 failures, the trigger keeps `attempts` at 1000,
    // so failures do not use up the attempts of a job. If a newer job has replaced a running job, graphile-worker has
    // set the `attempts` of the running job to the maximum. The trigger keeps the maximum, so that job is not repeated.
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
    // The replicas that run jobs, each with the name under which it locks jobs.
    sql`
    create table if not exists job_replica (
      name text primary key,
      seen_at timestamptz not null default now()
    )`,
    // graphile-worker uses one channel for all schemas of a database. This trigger uses the channel of its own schema
    // (libs/postgres/src/notices.ts). It notifies when a job is added or a due time is written.
    sql`
    create or replace function job_notice() returns trigger language plpgsql as $$
    begin
      perform pg_notify(tg_table_schema, 'jobs');
      return null;
    end $$`,
    sql`
    create or replace trigger job_notice after insert or update of run_at on _private_jobs for each row
      execute function job_notice()`,
  ]);
}

/** Runs statements under the lock of the schema's migrations (libs/postgres), so that two replicas do not conflict. */
async function underLock(database: Database, schema: string, statements: readonly ReturnType<typeof sql>[]) {
  await database.transact(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('platform.migrate.' || ${schema}, 0))`);
    for (const statement of statements) await transaction.execute(statement);
  }, { lockTimeout: 30_000 });
}

/** SQL condition: the job is repeated until it succeeds. False for a running job that a newer job has replaced. */
export const isAlive = sql`attempts < ${attemptsWithoutEnd}`;
