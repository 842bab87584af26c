import {
  createLimiter, type Deadline, DeadlineExceeded, deadlineIn, type Limiter, pause, remaining, shrink, silentLogger,
  withSpan,
} from '@platform/service';
import pg from 'pg';
import { OwnSocketClient } from './abandon.ts';
import { type Canceller, createCanceller } from './canceller.ts';
import { Connection, openConnection, type TakeRow } from './connection.ts';
import type { ConnectOptions, Database, PoolState, QueryOptions, Transaction, TransactOptions } from './database.ts';
import { PostgresUnavailable } from './errors.ts';
import { createNotices, type Notices } from './notices.ts';
import { createPoolMetrics, type PoolMetrics } from './pool-metrics.ts';
import { Sender } from './sender.ts';
import { serverConfig } from './server-config.ts';
import type { Statement } from './sql.ts';
import { runTransaction, spanOf } from './transact.ts';
import { isStalePlan } from './translate-error.ts';
import { valueTypes } from './value-types.ts';

const defaults = { maxConnections: 10, statementTimeout: 5_000, connectTimeout: 3_000, lockTimeout: 2_000 } as const;
/** Connections are replaced after half an hour, so that they spread over the servers again after a failover. */
const lifetimeSeconds = 1_800;

/** If no file handle is left: pause before the next attempt to get a connection, in milliseconds. */
const untilReleasedMs = 5;

/** Opens a pool. Connections are made on demand, so this call succeeds even while PostgreSQL is unavailable. */
export function connect(options: ConnectOptions): Database {
  return new PooledDatabase(options);
}

class PooledDatabase extends Sender implements Database {
  readonly #pool: pg.Pool;
  /**
   * Limits the number of concurrent callers to the size of the pool. Other callers wait here, not
   * in the queue of the pool, so that accounts take turns (`onBehalfOf`).
   */
  readonly #places: Limiter;
  readonly #most: number;
  readonly #connectTimeout: number;
  readonly #statementTimeout: number;
  readonly #canceller: Canceller;
  readonly #metrics: PoolMetrics;
  readonly notices: Notices & AsyncDisposable;

  constructor(options: ConnectOptions) {
    super();
    this.#most = options.maxConnections ?? defaults.maxConnections;
    this.#connectTimeout = options.connectTimeout ?? defaults.connectTimeout;
    this.#statementTimeout = options.statementTimeout ?? defaults.statementTimeout;
    const { log = silentLogger } = options;
    const server = serverConfig(options.url, options.applicationName);
    this.#canceller = createCanceller(server);
    this.#places = createLimiter(this.#most, 'PostgreSQL');
    this.#pool = new pg.Pool({
      ...server,
      Client: OwnSocketClient,
      types: valueTypes,
      max: this.#most,
      connectionTimeoutMillis: this.#connectTimeout,
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: lifetimeSeconds,
      // The pool awaits this callback (brianc/node-postgres#3620), although its types do not say so.
      // oxlint-disable-next-line typescript/no-misused-promises
      onConnect: openConnection({
        schema: options.schema,
        lockTimeout: defaults.lockTimeout,
        statementTimeout: this.#statementTimeout,
        idleInTransactionTimeout: this.#statementTimeout * 2,
      }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#pool.on('error', (error) => log.warn({ error }, 'an idle connection to PostgreSQL was lost'));
    const listener = serverConfig(options.url, `${options.applicationName} notices`);
    this.notices = createNotices(listener, options.schema ?? 'public', log);
    this.#metrics = createPoolMetrics(options.metrics, () => this.pool);
  }

  get pool(): PoolState {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { most: this.#most, open: totalCount, idle: idleCount, waiting: this.#places.waiting + waitingCount };
  }

  async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>, options: TransactOptions = {},
  ): Promise<Result> {
    const source = {
      acquire: () => this.#acquire(options.deadline, options.statementTimeout),
      usualStatementTimeout: this.#statementTimeout,
      usualLockTimeout: defaults.lockTimeout,
      repeated: () => this.#metrics.repeated(),
    };
    return this.#metrics.timed('transaction', () =>
      withSpan('postgres transaction', spanOf(), () => runTransaction(source, work, options)));
  }

  async ping(deadline: Deadline): Promise<void> {
    const connection = await this.#acquire(deadline);
    try {
      await connection.run('select 1', deadline);
    } finally {
      connection.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.notices[Symbol.asyncDispose]();
    if (!this.#pool.ending) await this.#pool.end();
  }

  protected override send(statement: Statement, options?: QueryOptions, take?: TakeRow): Promise<pg.QueryResult> {
    return this.#metrics.timed('statement', () =>
      withSpan('postgres statement', spanOf(statement), () => this.#single(statement, options?.deadline, take)));
  }

  async #single(statement: Statement, deadline?: Deadline, take?: TakeRow): Promise<pg.QueryResult> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#acquire(deadline);
      try {
        return await connection.send(statement, deadline, take);
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error);
        // A statement with a stale plan was not run, so repeat it. Each connection may have a stale plan.
        if (!isStalePlan(error) || attempt > this.#most) throw error;
      } finally {
        connection.release();
      }
    }
  }

  async #acquire(deadline?: Deadline, statementTimeout: number = this.#statementTimeout): Promise<Connection> {
    const leave = await this.#place(deadline);
    try {
      const client = await this.#checkOutAny(deadline);
      return new Connection(client, this.#canceller, statementTimeout, leave);
    } catch (error) {
      leave();
      throw error instanceof DeadlineExceeded ? error : new PostgresUnavailable('none', { cause: error });
    }
  }

  async #place(deadline: Deadline | undefined): Promise<() => void> {
    const isNear = deadline !== undefined && remaining(deadline) <= this.#connectTimeout;
    const patience = isNear ? deadline
      : deadline === undefined ? deadlineIn(this.#connectTimeout)
      : shrink(deadline, this.#connectTimeout);
    try {
      return await this.#places.enter(patience);
    } catch (error) {
      // If `isNear`, the wait ended at the caller's deadline, not at the connect timeout.
      const isOver = isNear || (deadline !== undefined && remaining(deadline) === 0);
      throw isOver ? error : new PostgresUnavailable('none', { cause: error });
    }
  }

  /**
   * Takes a connection from the pool. If no file handle is left and the pool has connections, waits until one of them
   * is free, at most for the connect timeout.
   */
  async #checkOutAny(deadline: Deadline | undefined): Promise<pg.PoolClient> {
    const end = performance.now() + this.#connectTimeout;
    for (;;) {
      try {
        return await this.#checkOut(deadline);
      } catch (error) {
        if (!lacksHandle(error) || this.#pool.totalCount === 0 || performance.now() > end) throw error;
        await pause(untilReleasedMs);
      }
    }
  }

  #checkOut(deadline: Deadline | undefined): Promise<pg.PoolClient> {
    const left = deadline === undefined ? Infinity : remaining(deadline);
    if (left <= 0) return Promise.reject(new DeadlineExceeded('PostgreSQL'));
    const comesAtOnce = this.#pool.idleCount > this.#pool.waitingCount;
    const coming = this.#pool.connect();
    if (comesAtOnce || left > this.#connectTimeout) return coming;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new DeadlineExceeded('PostgreSQL'));
      }, left);
      coming.then((client) => (isLate ? client.release() : resolve(client)), reject)
        .finally(() => clearTimeout(timer));
    });
  }
}

/** Whether the process or the machine has reached its limit of open files. */
function lacksHandle(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
