import pg from 'pg';
import { silentLogger } from '@platform/service';
import { OwnSocketClient } from './abandon.ts';
import { openConnection } from './connection.ts';
import type { ConnectOptions } from './database.ts';
import { serverConfig } from './server-config.ts';

/** Time limit of one statement, in milliseconds. It is long enough for the migrations of graphile-worker. */
const statementTimeoutMs = 30_000;

/**
 * Opens a pool of pg clients for a library that sends its own statements (graphile-worker in libs/jobs). The loss of an
 * idle connection is logged. The caller must `end` the pool.
 */
export function openClientPool(
  options: Omit<ConnectOptions, 'connectTimeout' | 'metrics' | 'statementTimeout'>,
): pg.Pool {
  const { url, schema, applicationName, maxConnections = 3, log = silentLogger } = options;
  const pool = new pg.Pool({
    ...serverConfig(url, applicationName),
    Client: OwnSocketClient,
    max: maxConnections,
    connectionTimeoutMillis: 3_000,
    // The pool awaits this callback (brianc/node-postgres#3620), although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: openConnection({ schema, statementTimeout: statementTimeoutMs }),
    // Applies if the server is unreachable. A reachable server ends the statement earlier, at `statement_timeout`.
    query_timeout: statementTimeoutMs + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener of this event, graphile-worker 0.18 writes a warning to stderr and adds its own listeners.
  pool.on('connect', () => undefined);
  pool.on('error', (error) => log.warn({ error }, 'an idle connection to PostgreSQL was lost'));
  return pool;
}
