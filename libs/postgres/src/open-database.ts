import { type Config, type OpenService, repeatUntil, Unavailable } from '@platform/service';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { testWrite } from './test-write.ts';

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

/** How long a start waits for PostgreSQL, in milliseconds. Then the start fails, and a supervisor repeats it. */
const patienceMs = 60_000;

/**
 * Opens the database of a service for as long as the service is open, and migrates its schema. The service is not ready
 * while PostgreSQL is unavailable or refuses writes.
 * @throws MigrationRefused, MigrationFailed; PostgresUnavailable after a minute without PostgreSQL, or at once if the
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
  // The readiness check is registered before this wait, so it reports a missing PostgreSQL from the start.
  await untilAvailable(service, () => migrate({ url, directory, schema, log, signal: stopping }));
  readiness.needs('writes to PostgreSQL', (deadline) => testWrite(database, deadline));
  return database;
}

/**
 * @param work repeated while PostgreSQL is unavailable; must be idempotent
 * @throws PostgresUnavailable after a minute, or at once if the service must stop
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
