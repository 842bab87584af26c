import { type Config, type Deadline, type OpenService, repeatUntil, Unavailable } from '@platform/service';
import { connect } from './connect.ts';
import type { Database, Queryable } from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { sql } from './sql.ts';
import { sqlState } from './translate-error.ts';

/** The settings that a service with its own schema needs. Durations are in milliseconds. */
export const postgresPicks = {
  postgresUrl: 'postgres.url',
  postgresMaxConnections: 'postgres.maxConnections',
  postgresStatementTimeoutMs: 'postgres.statementTimeout',
  postgresConnectTimeoutMs: 'postgres.connectTimeout',
} as const;

interface SchemaOptions {
  readonly schema: string;
  /** Folder of the service's migrations. One of them must include `sql/test-write.sql` of this library. */
  readonly migrations: URL;
}

/** How long one call of {@link untilAvailable} repeats its work, in milliseconds. */
const patienceMs = 60_000;

/**
 * Opens the database of a service and migrates its schema. Adds two readiness checks: PostgreSQL answers, and
 * PostgreSQL accepts writes.
 * @throws MigrationRefused, MigrationFailed; PostgresUnavailable after a minute without PostgreSQL, or earlier if the
 *   service must stop
 */
export async function openDatabase(
  service: OpenService, config: Config<typeof postgresPicks>, { schema, migrations: directory }: SchemaOptions,
): Promise<Database> {
  const { name, log, metrics, readiness, report, stopping, stack } = service;
  const { postgresUrl: url } = config;
  const database = stack.use(connect({
    url, schema, log, metrics, applicationName: name,
    maxConnections: config.postgresMaxConnections,
    statementTimeout: config.postgresStatementTimeoutMs,
    connectTimeout: config.postgresConnectTimeoutMs,
  }));
  readiness.needs('PostgreSQL', (deadline) => database.ping(deadline));
  report.migrations = (deadline) => appliedMigrations(database, deadline);
  // The check `PostgreSQL` is registered above, so that readiness reports its failure during this wait, too.
  await untilAvailable(service, () => migrate({ url, directory, schema, log, signal: stopping }));
  readiness.needs('writes to PostgreSQL', (deadline) => testWrite(database, deadline));
  return database;
}

/**
 * Checks whether PostgreSQL accepts writes (`sql/test-write.sql`). All replicas of a service together write at most
 * once in ten seconds. Each write starts a new file for the table, so that a full disk is detected.
 * @throws Error with PostgreSQL's message; PostgresUnavailable, DeadlineExceeded
 */
async function testWrite(database: Queryable, deadline: Deadline): Promise<void> {
  try {
    await database.execute(sql`select test_write()`, { deadline });
  } catch (error) {
    const { cause } = error as Error;
    throw sqlState(cause) === undefined ? error : new Error((cause as Error).message, { cause: error });
  }
}

/**
 * @param work repeated while it throws Unavailable; must be idempotent
 * @throws Unavailable after a minute, or earlier if the service must stop; other errors of `work` at once
 */
export function untilAvailable<T>(
  { log, stopping }: Pick<OpenService, 'log' | 'stopping'>, work: () => Promise<T>,
): Promise<T> {
  return repeatUntil(work, {
    most: 1_000,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]),
    again: (error) => error instanceof Unavailable,
    failed: (error, attempt) => log.warn({ attempt, error }, 'PostgreSQL is not available yet; the start waits for it'),
  });
}
