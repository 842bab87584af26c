import { DeadlineExceeded, deadlineIn, within } from '@platform/service';
import type pg from 'pg';
import { abandon } from './abandon.ts';

/** The settings of a session. Times are in milliseconds. Default: the setting of the server. */
export interface SessionSettings {
  readonly schema?: string | undefined;
  readonly lockTimeout?: number | undefined;
  readonly statementTimeout?: number | undefined;
  readonly idleInTransactionTimeout?: number | undefined;
}

const schemaPattern = /^[a-z_][a-z0-9_]*$/;
/** How long a server may take to start a session, in milliseconds. */
const startMs = 3_000;

/** Session ids, as the server itself returns them. Through a pooler, pg gets a different id when it connects. */
const sessionIds = new WeakMap<object, number>();

/** Returns the `pid` of a connection in `pg_stat_activity`. Undefined until the session is set up. */
export function sessionId(client: object): number | undefined {
  return sessionIds.get(client);
}

/**
 * Returns a function that sets up a new session with one statement. It uses no startup parameters, because a pooler
 * (PgBouncer) may refuse them.
 * @throws TypeError for an invalid name of a schema
 */
export function startSession(settings: SessionSettings): (client: pg.ClientBase) => Promise<void> {
  const { schema, lockTimeout, statementTimeout, idleInTransactionTimeout } = settings;
  if (schema !== undefined && !schemaPattern.test(schema)) throw new TypeError(`"${schema}" is an invalid schema name`);
  const values = {
    timezone: 'UTC',
    // Without this setting, PostgreSQL may plan a prepared statement again at each call. Planning may cost more than a
    // look-up by index.
    plan_cache_mode: 'force_generic_plan',
    // The default is for hard disks. In memory or on an SSD, a look-up by index is cheaper.
    random_page_cost: 1.1,
    search_path: schema,
    lock_timeout: lockTimeout,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
    // Tells triggers that this process announces changes to holders of leases (libs/leases/sql/leases.sql).
    'platform.leases': 'told',
  };
  const calls = Object.entries(values).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const text = `select pg_backend_pid() as id, ${calls.join(', ')}`;
  return async (client) => {
    try {
      const started = client.query<{ id: number }>(text);
      const { rows: [session] } = await within(deadlineIn(startMs), started, 'the start of a session')
        // The time limit of the caller is not over.
        .catch((error) => { throw error instanceof DeadlineExceeded ? new Error(error.message) : error; });
      sessionIds.set(client, session!.id);
    } catch (error) {
      // `client.end()` could wait for a server that does not answer.
      abandon(client);
      throw error;
    }
  };
}
