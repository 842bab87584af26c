import pg from 'pg';
import { PostgresUnavailable } from './errors.ts';

/**
 * Runs `work` on a connection of its own, which ends with it.
 * @throws PostgresUnavailable when there is no connection to be had; else what `work` throws
 */
export async function withOwnConnection<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, keepAlive: true, ...config });
  // Told by the statement under way; without a listener the loss of an idle connection would end the process.
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
