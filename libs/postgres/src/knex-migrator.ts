import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { checksumTable, type MigrateOptions, migrationTable } from './migrate-options.ts';
import type { MigrationFile } from './migration-files.ts';
import { serverConfig } from './server-config.ts';
import { startSession } from './session.ts';

/**
 * Runs migration files with knex. `applyNext` applies the first pending file and records it, both in one transaction
 * unless the file must run without a transaction. The caller must hold the advisory lock of the schema.
 */
export function createMigrator(
  options: MigrateOptions, files: readonly MigrationFile[], lockTimeout: number,
): AsyncDisposable & { readonly applyNext: () => Promise<void> } {
  const { log, schema } = options;
  const start = startSession({ schema, lockTimeout });
  let connection: pg.Client | undefined;
  const engine = knex({
    client: 'pg',
    connection: serverConfig(options.url, `${schema} migration`) as Knex.PgConnectionConfig,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (client: pg.Client, done: (error: unknown, client: pg.Client) => void) => {
        connection = client;
        start(client).then(() => done(undefined, client), (error: unknown) => done(error, client));
      },
    },
    acquireConnectionTimeout: 10_000,
    log: {
      // Failures are thrown. knex's own messages about them would contain the SQL statements.
      warn: () => undefined,
      error: () => undefined,
      debug: () => undefined,
      deprecate: (what: string) => log?.debug({ what }, 'knex deprecation'),
    },
  });
  const config: Knex.MigratorConfig = {
    tableName: migrationTable,
    migrationSource: {
      getMigrations: async () => [...files],
      getMigrationName: (file: MigrationFile) => file.name,
      // Runs the file on the connection itself. knex would read each `?` (an operator of jsonb) as a parameter.
      getMigration: async (file: MigrationFile) => migrationOf(file, (text) => connection!.query(text)),
    },
  };
  let isPrepared = false;
  const prepare = async (): Promise<void> => {
    await engine.raw(`create table if not exists ${checksumTable} (name text primary key, checksum text not null)`);
    await engine.raw(`alter table ${checksumTable} add column if not exists contracts text`);
    // A killed process may leave the lock of knex in the database, so remove this lock. The advisory lock protects the
    // schema, and ends with its connection.
    await engine.migrate.forceFreeMigrationsLock(config);
    isPrepared = true;
  };
  return {
    applyNext: async () => {
      if (!isPrepared) await prepare();
      await engine.migrate.up(config);
    },
    [Symbol.asyncDispose]: () => engine.destroy(),
  };
}

function migrationOf(
  file: MigrationFile, run: (text: string) => Promise<unknown>,
): Knex.Migration & { readonly config: { readonly transaction: boolean } } {
  return {
    config: { transaction: file.transaction },
    up: async (transaction) => {
      await run(file.text);
      const { name, checksum, contracts = null } = file;
      await transaction(checksumTable).insert({ name, checksum, contracts }).onConflict('name').merge();
    },
    down: () => Promise.reject(new TypeError('migrations go forward only')),
  };
}
