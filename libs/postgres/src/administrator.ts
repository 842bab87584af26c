import pg from 'pg';
import type { Secret } from '@platform/service';
import { PostgresUnavailable } from './errors.ts';
import { serverConfig, urlWith } from './server-config.ts';

/**
 * Runs `work` on a connection of its own.
 * @param database default: the one of the URL
 */
export async function withAdministrator<Result>(
  url: Secret | string,
  database: string | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const own = database === undefined ? url : urlWith(url, { database });
  const client = new pg.Client({
    ...serverConfig(own, { applicationName: 'platform provisioning' }),
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    statement_timeout: 60_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new PostgresUnavailable('none', { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Until its connection ends, no other process provisions: roles and databases belong to the whole server. */
export async function lockProvisioning(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('platform.provision', 0))`);
}
