import type pg from 'pg';
import { abandon } from './abandon.ts';

/** What each connection is set to, beside what differs between its uses. */
export interface SessionSettings {
  /** Becomes the `search_path`. */
  readonly schema?: string | undefined;
  /** Limits in milliseconds; default without limit. */
  readonly lockTimeout?: number | undefined;
  readonly statementTimeout?: number | undefined;
  readonly idleInTransactionTimeout?: number | undefined;
}

const schemaPattern = /^[a-z_][a-z0-9_]*$/;
/** How long a server may take to start a session, in milliseconds. */
const startMs = 3_000;

/** Ids of the sessions at the server. A pooler in between gives its clients ids of its own. */
const sessionIds = new WeakMap<object, number>();

/** The id of a connection's session, as `pg_stat_activity` has it; undefined before {@link startSession} is done. */
export function sessionId(client: object): number | undefined {
  return sessionIds.get(client);
}

/**
 * Makes what sets a new connection, with one statement. Parameters of the start of a connection would save its round
 * trip, but a pooler (PgBouncer) refuses them. The time zone is fixed, so that no host's shows.
 * @throws TypeError for a text that cannot name a schema
 */
export function startSession(settings: SessionSettings): (client: pg.ClientBase) => Promise<void> {
  const { schema, lockTimeout, statementTimeout, idleInTransactionTimeout } = settings;
  if (schema !== undefined && !schemaPattern.test(schema)) throw new TypeError(`"${schema}" is not the name of a schema`);
  const values = {
    timezone: 'UTC',
    // Statements are prepared once and values come as arrays: without this PostgreSQL would plan it again at
    // each call, which costs several times what a look-up by index does.
    plan_cache_mode: 'force_generic_plan',
    // What is read by index lies in memory or on an SSD: with a disk in mind PostgreSQL would read whole tables.
    random_page_cost: 1.1,
    search_path: schema,
    lock_timeout: lockTimeout,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
  };
  const calls = Object.entries(values).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const text = `select pg_backend_pid() as id, ${calls.join(', ')}`;
  return async (client) => {
    const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: startMs };
    try {
      const { rows: [session] } = await client.query<{ id: number }>(query);
      sessionIds.set(client, session!.id);
    } catch (error) {
      // To end it properly may wait for a server that does not answer.
      abandon(client);
      throw error;
    }
  };
}
