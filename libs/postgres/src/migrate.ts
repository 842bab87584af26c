import { type Deadline, type Logger, repeatUntil, silentLogger } from '@platform/service';
import pg from 'pg';
import type { Queryable } from './database.ts';
import { checksumTable, type MigrateOptions, migrationTable } from './migrate-options.ts';
import { MigrationFailed, MigrationRefused } from './migration-errors.ts';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';
import { withOwnConnection } from './own-connection.ts';
import { serverConfig } from './server-config.ts';
import { quoteIdentifier, sql } from './sql.ts';

export interface MigrateResult {
  /** Names of the files that were applied now, in order. */
  readonly applied: readonly string[];
}

/** A migration waits this long for a table in use, then lets the traffic pass and tries again. */
const tableLockTimeout = 5_000;
const tableLockAttempts = 5;

/**
 * Brings the schema to the state of the files: forward only, in the order of their names, each in a transaction of
 * its own. A schema that a newer version has added to is left as it is, and fits: replicas of both run side by side
 * (ADR 0039). A file whose first lines say `-- no transaction` runs without one; it holds one statement, and must bear
 * being run again. Several replicas may call it at once: one migrates, the others wait and find nothing left to do.
 * @throws MigrationRefused, MigrationFailed, PostgresUnavailable
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const files = await readMigrationFiles(options.directory);
  const log = options.log ?? silentLogger;
  const { schema } = options;
  const config = serverConfig(options.url, `${schema} migration`);
  return withOwnConnection({ ...config, query_timeout: 30_000 }, { schema }, async (client) => {
    await assertSchema(client, schema);
    await lock(client, options);
    const pending = await findPending(client, options.schema, files);
    if (pending.length === 0) return { applied: [] };
    // knex takes a while to load, and most starts have nothing to migrate.
    const { createMigrator } = await import('./knex-migrator.ts');
    await using migrator = createMigrator(options, files, tableLockTimeout);
    const applied: string[] = [];
    for (const file of pending) {
      const start = performance.now();
      await applyNext(migrator.applyNext, file, log);
      applied.push(file.name);
      log.info({ schema: options.schema, file: file.name, ms: Math.round(performance.now() - start) }, 'migrated');
    }
    return { applied };
  }, options.signal);
}

async function assertSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ usable: boolean }>(
    `select has_schema_privilege(oid, 'create') as usable from pg_namespace where nspname = $1`,
    [schema],
  );
  if (rows[0]?.usable === true) return;
  throw new MigrationRefused(
    'MISSING_SCHEMA',
    schema,
    'create it for this role (the launcher does, `platform doctor` says how)',
  );
}

/** Held until the connection ends. Asked for again and again: waiting inside PostgreSQL would hold up index builds. */
async function lock(client: pg.Client, { schema, lockTimeout = 60_000, signal }: MigrateOptions): Promise<void> {
  const text = `select pg_try_advisory_lock(hashtextextended('platform.migrate.' || $1, 0)) as taken`;
  const patience = AbortSignal.timeout(lockTimeout);
  await repeatUntil(
    async () => {
      const { rows } = await client.query<{ taken: boolean }>(text, [schema]);
      if (rows[0]?.taken !== true) {
        throw new MigrationRefused('LOCKED', schema, 'wait for the process that migrates it, or end it');
      }
    },
    {
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      first: 50,
      most: 500,
      again: (error) => error instanceof MigrationRefused,
    },
  );
}

async function findPending(
  client: pg.Client,
  schema: string,
  files: readonly MigrationFile[],
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
      const cure = 'its applied text differs; restore that text and put the change into a new file';
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
  const cure = 'this version is older than its database; start the version that made it, or a newer one';
  return new MigrationRefused('SCHEMA_FROM_FUTURE', name, cure);
}

interface Recorded {
  readonly name: string;
  readonly checksum: string | null;
  /** See MigrationFile. */
  readonly contracts: string | null;
}

/** What was applied, in order. */
async function readRecorded(client: pg.Client, schema: string): Promise<readonly Recorded[]> {
  const [migrations, checksums] = [migrationTable, checksumTable].map((table) => `${quoteIdentifier(schema)}.${table}`);
  const exist = await client.query<{ both: boolean }>(
    'select to_regclass($1) is not null and to_regclass($2) is not null as both',
    [migrations, checksums],
  );
  if (exist.rows[0]?.both !== true) return [];
  // The column is younger than the table, and made with the next migration.
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

/** PostgreSQL counts characters of the text that was sent, which is the file's. */
function lineOf(error: Error, text: string): number | undefined {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : NaN;
  return Number.isNaN(position) ? undefined : text.slice(0, position - 1).split('\n').length;
}

/** One step of a schema that was made. */
export interface AppliedMigration {
  readonly name: string;
  /** RFC3339 in UTC, whole seconds. */
  readonly appliedAt: string;
}

/** Steps of the service's own schema that were made, in order. */
export async function appliedMigrations(queryable: Queryable, deadline: Deadline): Promise<AppliedMigration[]> {
  const rows = await queryable.query(
    sql<{ name: string; appliedAt: Date }>`
      select name, migration_time as "appliedAt" from schema_migration order by name`,
    { deadline },
  );
  return rows.map(({ name, appliedAt }) => ({ name, appliedAt: appliedAt.toISOString().replace(/\.\d{3}Z$/, 'Z') }));
}
