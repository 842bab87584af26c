import type { Deadline, Logger, Metrics, Secret } from '@platform/service';
import type { Notices } from './notices.ts';
import type { Statement } from './sql.ts';

export interface ConnectOptions {
  /** `postgres://role:password@host:port/database`. */
  readonly url: Secret | string;
  /** The service's schema, used as `search_path` of each connection. */
  readonly schema?: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Maximum number of connections in the pool; default 10. */
  readonly maxConnections?: number;
  /** Time limit of one statement, in milliseconds; default 5,000. An earlier deadline shortens it. */
  readonly statementTimeout?: number;
  /**
   * Maximum wait for a place in the pool, in milliseconds; default 3,000. The wait for a connection after that has the
   * same limit.
   */
  readonly connectTimeout?: number;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

export interface QueryOptions {
  /** At the deadline the statement is cancelled and DeadlineExceeded is thrown. */
  readonly deadline?: Deadline;
}

/**
 * Runs statements, either on a database or in a transaction. On a database, each statement is its own transaction.
 *
 * Columns have the names that the statement gives them (`organization_id as "organizationId"`).
 * Values: int8 and int8[] are read as numbers, timestamptz as Date, bytea as Buffer. date, numeric and uuid are read as
 * text. json and jsonb are parsed. An int8 beyond 2^53-1 causes an error.
 * Parameters may also be a Date, a Buffer, an array, or a plain object for jsonb. An array for jsonb needs
 * {@link sql.json}. undefined is refused.
 * @throws PostgresUnavailable, DeadlineExceeded, UniqueViolation, ForeignKeyViolation, CheckViolation,
 *   TransactionConflict
 */
export interface Queryable {
  query<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row[]>;
  /**
   * Calls `take` with each row as it arrives. If the statement fails later, `take` has already received the first rows.
   * An error of `take` is thrown after the statement has ended.
   */
  each<Row>(statement: Statement<Row>, take: (row: Row) => void, options?: QueryOptions): Promise<void>;
  /** @throws UnexpectedRows unless there is exactly one row */
  one<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row>;
  /** @throws UnexpectedRows if there are several rows */
  maybeOne<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row | undefined>;
  /** Returns the number of affected rows. */
  execute(statement: Statement, options?: QueryOptions): Promise<number>;
}

/** A running transaction: its statements commit together. After its end, every call is refused. */
export interface Transaction extends Queryable {
  /** Number of this attempt, from 1. */
  readonly attempt: number;
}

export interface TransactOptions {
  /** Default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** How long to wait for a lock, in milliseconds; default 2,000 (authorization.md W1). */
  readonly lockTimeout?: number;
  /** Maximum number of attempts, including the first, if serialization failures or deadlocks occur; default 3. */
  readonly attempts?: number;
  /** Time limit of one statement, in milliseconds, for reports over many rows. Default: the limit of the pool. */
  readonly statementTimeout?: number;
  readonly deadline?: Deadline;
}

/** A pool of connections to one database. Disposing waits for running statements, then closes the connections. */
export interface Database extends Queryable, AsyncDisposable {
  /**
   * Runs `work` in a transaction. The transaction commits after `work` returns, and rolls back if `work` throws. `work`
   * may run several times, so it must have no effect outside the transaction. It must make no network calls except the
   * statements of the transaction.
   * @throws TransactionConflict after the last attempt, or if a lock was not available in time; PostgresUnavailable,
   *   DeadlineExceeded, and the errors of `work`
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>, options?: TransactOptions): Promise<Result>;
  /** Checks that PostgreSQL answers on a connection of the pool. @throws PostgresUnavailable, DeadlineExceeded */
  ping(deadline: Deadline): Promise<void>;
  readonly pool: PoolState;
  /** Notifications of committed changes. The first listener opens one connection outside the pool. */
  readonly notices: Notices;
}

export interface PoolState {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}
