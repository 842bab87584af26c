import pg from 'pg';
import { sessionId } from './session.ts';

/** Ends statements whose caller no longer waits, through connections of its own: the pool may be all taken. */
export interface Canceller {
  /** Asks the server to cancel what the connection runs; false when that could not be done. */
  cancel(client: pg.PoolClient): Promise<boolean>;
}

/** Cancellations at the same time; more are not tried, their connections are closed instead. */
const most = 4;

export function createCanceller(config: pg.ClientConfig): Canceller {
  let running = 0;
  return {
    cancel: async (client) => {
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
    },
  };
}
