import type { Deadline, Logger, Metrics, Secret } from '@platform/service';
import { UnexpectedRows } from './errors.ts';
import type { Statement } from './sql.ts';

export interface ConnectOptions {
  /** `postgres://role:password@host:port/database`. */
  readonly url: Secret | string;
  /** The service's schema: becomes the `search_path` of each connection. */
  readonly schema?: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Most connections of this pool; default 10. */
  readonly maxConnections?: number;
  /** How long one statement may run, in milliseconds; default 5,000. Shorter when the deadline is nearer. */
  readonly statementTimeout?: number;
  /** How long to wait for a free connection or a new one, in milliseconds; default 3,000. */
  readonly connectTimeout?: number;
  readonly log?: Logger;
  readonly metrics?: Metrics;
}

export interface QueryOptions {
  /** Past it the statement is cancelled and DeadlineExceeded is thrown. */
  readonly deadline?: Deadline;
}

/**
 * What runs statements: the database (each statement for itself) or a transaction.
 *
 * Columns come under the names the statement gives them (`organization_id as "organizationId"`). Values: int8 and
 * int8[] are numbers (beyond 2^53-1 refused), timestamptz is a Date, numeric text, json and jsonb their value,
 * uuid text, bytea a Buffer. As parameters: a Date, Buffer, array, or plain object for jsonb (an array for jsonb needs
 * {@link sql.json}); undefined is refused.
 * @throws PostgresUnavailable, DeadlineExceeded, UniqueViolation, ForeignKeyViolation, CheckViolation,
 *   TransactionConflict
 */
export interface Queryable {
  query<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row[]>;
  /**
   * Calls `take` with each row as it arrives, while PostgreSQL finds others. Where the statement fails after its first
   * rows, these have been taken. What `take` throws, it throws, once the statement has ended.
   */
  each<Row>(statement: Statement<Row>, take: (row: Row) => void, options?: QueryOptions): Promise<void>;
  /** @throws UnexpectedRows unless there is exactly one row */
  one<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row>;
  /** @throws UnexpectedRows when there are several rows */
  maybeOne<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row | undefined>;
  /** Answers how many rows were written. */
  execute(statement: Statement, options?: QueryOptions): Promise<number>;
}

/** Statements that commit together; after it has ended each call is refused. */
export interface Transaction extends Queryable {
  /** Which attempt this is, from 1. */
  readonly attempt: number;
}

export interface TransactOptions {
  /** Default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** How long to wait for a lock, in milliseconds; default 2,000 (authorization.md W1). */
  readonly lockTimeout?: number;
  /** Runs in all after serialization failures and deadlocks; default 3. */
  readonly attempts?: number;
  /** How long one statement may take, in milliseconds; default: as all of the pool. For reports over many rows. */
  readonly statementTimeout?: number;
  readonly deadline?: Deadline;
}

/** A pool of connections to one database. Disposing waits for running statements, then closes the connections. */
export interface Database extends Queryable, AsyncDisposable {
  /**
   * Runs `work` in a transaction: committed when it returns, rolled back when it throws. `work` may run several
   * times (40001, 40P01), so it must do nothing but SQL; never call the network inside (design §5).
   * @throws TransactionConflict after the last attempt, or when a lock was not had in time; else what `work` throws
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>, options?: TransactOptions): Promise<Result>;
  /** For readiness: one round trip on a pooled connection. */
  ping(deadline: Deadline): Promise<void>;
  readonly pool: PoolState;
}

/** Connections now: open (of `most`), idle among them, and callers that wait for one. */
export interface PoolState {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** @throws UnexpectedRows unless there is exactly one */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new UnexpectedRows(rows.length);
  return row;
}

/** @throws UnexpectedRows when there are several */
export function atMostOneRow<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new UnexpectedRows(rows.length);
  return rows[0];
}
