import type pg from 'pg';
import { abandon, OwnSocketClient } from './abandon.ts';
import { PostgresUnavailable } from './errors.ts';
import { type SessionSettings, startSession } from './session.ts';

/**
 * Opens a connection, runs `work` with it, and closes it. `signal` aborts only the wait for the connection.
 * @throws PostgresUnavailable if no connection can be opened; the reason of `signal` if `signal` is already aborted;
 *   the errors of `work`
 */
export async function withOwnConnection<Result>(
  config: pg.ClientConfig, settings: SessionSettings, work: (client: pg.Client) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const start = startSession(settings);
  const client = new OwnSocketClient({ connectionTimeoutMillis: 5_000, keepAlive: true, ...config });
  // Without a listener, the loss of the connection would end the process. The statements of `work` report the loss.
  client.on('error', () => undefined);
  const giveUp = (): void => abandon(client);
  signal?.addEventListener('abort', giveUp);
  try {
    await client.connect();
    await start(client);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new PostgresUnavailable('none', { cause: error });
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
