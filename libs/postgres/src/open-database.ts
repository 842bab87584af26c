import { type Config, type OpenService, repeatUntil, Unavailable } from '@platform/service';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { testWrite } from './test-write.ts';

/** What a service with a schema of its own picks of the platform's settings. Durations are milliseconds. */
export const postgresPicks = {
  postgresUrl: 'postgres.url',
  postgresMaxConnections: 'postgres.maxConnections',
  postgresStatementTimeoutMs: 'postgres.statementTimeout',
  postgresConnectTimeoutMs: 'postgres.connectTimeout',
} as const;

export interface SchemaOptions {
  readonly schema: string;
  /** Folder of its migrations. One of them includes `sql/test-write.sql` of this library. */
  readonly migrations: URL;
}

/** How long a start waits for PostgreSQL before it gives up; the supervisor of the process then starts it again. */
const patienceMs = 60_000;

/**
 * The database of a service, open while the service is, with its schema brought up to date. Without PostgreSQL, or
 * while PostgreSQL takes no writes, the service is not ready.
 * @throws MigrationRefused, MigrationFailed, PostgresUnavailable after a minute without PostgreSQL, or at once when the
 *   service has to stop
 */
export async function openDatabase(
  service: OpenService,
  config: Config<typeof postgresPicks>,
  { schema, migrations: directory }: SchemaOptions,
): Promise<Database> {
  const { name, log, metrics, readiness, report, stopping, stack } = service;
  const { postgresUrl: url } = config;
  const database = stack.use(connect({
    url,
    schema,
    applicationName: name,
    maxConnections: config.postgresMaxConnections,
    statementTimeout: config.postgresStatementTimeoutMs,
    connectTimeout: config.postgresConnectTimeoutMs,
    log,
    metrics,
  }));
  readiness.needs('PostgreSQL', (deadline) => database.ping(deadline));
  report.migrations = (deadline) => appliedMigrations(database, deadline);
  // Told by the readiness from the first moment on.
  await untilAvailable(service, () => migrate({ url, directory, schema, log, signal: stopping }));
  readiness.needs('writes to PostgreSQL', (deadline) => testWrite(database, deadline));
  return database;
}

/**
 * Does a part of the start that needs PostgreSQL, again and again while PostgreSQL is unavailable.
 * @param work a repetition must be harmless
 * @throws PostgresUnavailable after a minute, or at once when the service has to stop
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
