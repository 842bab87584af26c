import type pg from 'pg';
import type { Secret } from '@platform/service';
import { withOwnConnection } from './own-connection.ts';
import { serverConfig, urlWith } from './server-config.ts';

/**
 * Runs `work` on its own connection.
 * @param database default: the database of the URL
 */
export async function withAdministrator<Result>(
  url: Secret | string,
  database: string | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const own = database === undefined ? url : urlWith(url, { database });
  const config = serverConfig(own, 'platform provisioning');
  return withOwnConnection({ ...config, query_timeout: 60_000 }, { statementTimeout: 60_000 }, work);
}

/**
 * Takes a lock until the connection ends, so that no other process provisions at the same time. This is needed because
 * all databases share the roles of the server.
 */
export async function lockProvisioning(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('platform.provision', 0))`);
}
