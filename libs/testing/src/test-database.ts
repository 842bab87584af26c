import { join } from 'node:path';
import { held } from './harness.ts';
import { repositoryRoot } from './repository.ts';
import { askKeeper } from './servers/ask-keeper.ts';
import type { ClonedDatabase } from './servers/keeper-protocol.ts';
import type { ServiceSettings } from './start-service.ts';

/** A database for this spec file only. Dropped at the end of the file, or earlier by disposing. */
export interface TestDatabase extends ClonedDatabase, AsyncDisposable {
  /** Settings of a service that uses the database (for `startService`). */
  readonly settings: ServiceSettings;
}

interface TestDatabaseOptions {
  /** Folder of the migrations; default `apps/<service>/migrations`. A missing folder means an empty schema. */
  readonly migrations?: string;
}

/**
 * A database cloned from the migrated template of a service: with its schema and role, and only the rows that
 * migrations insert.
 * @param service such as `orgs-teams`.
 * @throws KeeperFault when the run has no PostgreSQL or a migration fails.
 */
export async function testDatabase(service: string, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const migrations = options.migrations ?? join(repositoryRoot, 'apps', service, 'migrations');
  const database = await askKeeper({ ask: 'database', service, migrations });
  let dropped: Promise<unknown> | undefined;
  return held({
    ...database,
    settings: { 'postgres.url': database.url },
    [Symbol.asyncDispose]: async () => {
      await (dropped ??= askKeeper({ ask: 'drop', database: database.name }));
    },
  }, 'database');
}

/** `postgres://` URL with a superuser of this run's PostgreSQL, for specs of code that administers PostgreSQL. */
export async function testPostgres(): Promise<string> {
  return (await askKeeper({ ask: 'postgres' })).superuserUrl;
}
