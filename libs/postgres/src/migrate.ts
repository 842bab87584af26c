import { type Deadline, type Logger, repeatUntil, silentLogger } from '@platform/service';
import pg from 'pg';
import type { Queryable } from './database.ts';
import { checksumTable, type MigrateOptions, migrationTable } from './migrate-options.ts';
import { MigrationFailed, MigrationRefused } from './migration-errors.ts';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';
import { withOwnConnection } from './own-connection.ts';
import { serverConfig } from './server-config.ts';
import { quoteIdentifier, sql } from './sql.ts';

/** How long a migration waits for a table lock, in milliseconds. Then it lets other transactions pass and retries. */
const tableLockTimeout = 5_000;
const tableLockAttempts = 5;

/**
 * Applies the pending files to the schema in the order of their names. Each file runs in its own transaction, unless
 * its first lines contain `-- no transaction`. Such a file must contain one statement that can be repeated. A schema to
 * which a newer version has added something is accepted if no file is pending, because replicas of both versions may
 * run side by side (ADR 0039). Several replicas may call this function at once. One migrates while the others wait.
 * @throws MigrationRefused, MigrationFailed, PostgresUnavailable
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: readonly string[] }> {
  const files = await readMigrationFiles(options.directory);
  const { schema, log = silentLogger } = options;
  const config = serverConfig(options.url, `${schema} migration`);
  return withOwnConnection({ ...config, query_timeout: 30_000 }, { schema }, async (client) => {
    await assertSchema(client, schema);
    await lock(client, options);
    const pending = await findPending(client, schema, files);
    if (pending.length === 0) return { applied: [] };
    // Loading knex takes a while, and most starts have nothing to migrate.
    const { createMigrator } = await import('./knex-migrator.ts');
    await using migrator = createMigrator(options, files, tableLockTimeout);
    const applied: string[] = [];
    for (const file of pending) {
      const start = performance.now();
      options.applying?.(file.name, applied.length, pending.length);
      await applyNext(migrator.applyNext, file, log);
      applied.push(file.name);
      log.info({ schema, file: file.name, ms: Math.round(performance.now() - start) }, 'migrated');
    }
    return { applied };
  }, options.signal);
}

async function assertSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ usable: boolean }>(
    `select has_schema_privilege(oid, 'create') as usable from pg_namespace where nspname = $1`, [schema],
  );
  if (rows[0]?.usable === true) return;
  const cure = 'the schema is missing, or the role of the connection may not create objects in it; '
    + 'to create a missing schema, run `npm start`, or set postgres.url and run `platform migrate`';
  throw new MigrationRefused('MISSING_SCHEMA', schema, cure);
}

/**
 * Takes the advisory lock of the schema, and holds it until the connection ends. Polls, because a wait in PostgreSQL
 * would block `create index concurrently`.
 */
async function lock(client: pg.Client, { schema, lockTimeout = 60_000, signal }: MigrateOptions): Promise<void> {
  const text = `select pg_try_advisory_lock(hashtextextended('platform.migrate.' || $1, 0)) as taken`;
  const patience = AbortSignal.timeout(lockTimeout);
  await repeatUntil(async () => {
    const { rows } = await client.query<{ taken: boolean }>(text, [schema]);
    const cure = 'wait for the other migration, or end its process';
    if (rows[0]?.taken !== true) throw new MigrationRefused('LOCKED', schema, cure);
  }, {
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    first: 50, most: 500,
    again: (error) => error instanceof MigrationRefused,
  });
}

async function findPending(
  client: pg.Client, schema: string, files: readonly MigrationFile[],
): Promise<readonly MigrationFile[]> {
  const recorded = await readRecorded(client, schema);
  const known = new Map(files.map((file) => [file.name, file]));
  const newer: string[] = [];
  for (const { name, checksum, contracts } of recorded) {
    const file = known.get(name);
    if (file === undefined) {
      if (contracts !== null && !known.has(contracts)) throw fromFuture(name);
      newer.push(name);
    } else if (checksum !== null && checksum !== file.checksum) {
      const cure = 'the applied text is different; restore the applied text, and put the change into a new file';
      throw new MigrationRefused('CHANGED_FILE', name, cure);
    }
  }
  const names = new Set(recorded.map(({ name }) => name));
  const pending = files.filter((file) => !names.has(file.name));
  const [firstNewer] = newer;
  if (pending.length > 0 && firstNewer !== undefined) throw fromFuture(firstNewer);
  return pending;
}

function fromFuture(name: string): MigrationRefused {
  const cure = 'this version is older than the schema; start the version that migrated the schema, or a newer one';
  return new MigrationRefused('SCHEMA_FROM_FUTURE', name, cure);
}

interface Recorded {
  readonly name: string;
  readonly checksum: string | null;
  readonly contracts: string | null;
}

async function readRecorded(client: pg.Client, schema: string): Promise<readonly Recorded[]> {
  const [migrations, checksums] = [migrationTable, checksumTable].map((table) => `${quoteIdentifier(schema)}.${table}`);
  const exist = await client.query<{ both: boolean }>(
    'select to_regclass($1) is not null and to_regclass($2) is not null as both', [migrations, checksums],
  );
  if (exist.rows[0]?.both !== true) return [];
  // An older table does not have the column `contracts` yet. The next migration adds the column.
  const { rows } = await client.query<Recorded>(`
    select name, checksum, to_jsonb(recorded) ->> 'contracts' as contracts
      from ${migrations} left join ${checksums} recorded using (name) order by name`);
  return rows;
}

async function applyNext(apply: () => Promise<void>, file: MigrationFile, log: Logger): Promise<void> {
  try {
    await repeatUntil(apply, {
      attempts: tableLockAttempts,
      again: (error) => error instanceof pg.DatabaseError && error.code === '55P03',
      failed: () => log.warn({ file: file.name }, 'a table is in use; retrying the migration'),
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new MigrationFailed(file.name, lineOf(error, file.text), error);
  }
}

/** Returns the number of the line of `text` in which the error is; undefined for an error without a position. */
function lineOf(error: Error, text: string): number | undefined {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : NaN;
  return Number.isNaN(position) ? undefined : text.slice(0, position - 1).split('\n').length;
}

/** Returns the applied migrations of the service's own schema, ordered by name. Times: RFC 3339, UTC, whole seconds. */
export async function appliedMigrations(
  queryable: Queryable, deadline: Deadline,
): Promise<{ readonly name: string; readonly appliedAt: string }[]> {
  const rows = await queryable.query(
    sql<{ name: string; appliedAt: Date }>`
      select name, migration_time as "appliedAt" from schema_migration order by name`,
    { deadline },
  );
  return rows.map(({ name, appliedAt }) => ({ name, appliedAt: appliedAt.toISOString().replace(/\.\d{3}Z$/, 'Z') }));
}
