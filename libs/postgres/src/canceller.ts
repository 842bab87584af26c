import pg from 'pg';
import { sessionId } from './session.ts';

/** Asks the server to cancel the running statement of a connection. Returns false if the server could not be asked. */
export type Canceller = (client: pg.PoolClient) => Promise<boolean>;

/** Maximum number of concurrent cancellations. While so many are running, the canceller returns false. */
const most = 4;

/** Creates a canceller. It uses its own connections, because the pool may have no free connection. */
export function createCanceller(config: pg.ClientConfig): Canceller {
  let running = 0;
  return async (client) => {
    const id = sessionId(client);
    if (id === undefined || running >= most) return false;
    running += 1;
    const own = new pg.Client({ ...config, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
    own.on('error', () => undefined);
    try {
      await own.connect();
      await own.query('select pg_cancel_backend($1)', [id]);
      return true;
    } catch {
      return false;
    } finally {
      running -= 1;
      own.end().catch(() => undefined);
    }
  };
}
