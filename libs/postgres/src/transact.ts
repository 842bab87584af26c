import {
  backoffPause, type Deadline, DeadlineExceeded, deadlineIn, pause, remaining, type SpanOptions, withSpan,
} from '@platform/service';
import type { Connection, TakeRow } from './connection.ts';
import { atMostOneRow, onlyRow, type QueryOptions, type Transaction, type TransactOptions } from './database.ts';
import { PostgresUnavailable, TransactionConflict } from './errors.ts';
import type { Statement } from './sql.ts';
import { isRepeatable, isStalePlan } from './translate-error.ts';

/** What a transaction needs of the pool. */
export interface TransactionSource {
  acquire(): Promise<Connection>;
  /** What each connection has been opened with. */
  readonly usualStatementTimeout: number;
  readonly usualLockTimeout: number;
  /** Told before each further run. */
  repeated(): void;
}

const usualAttempts = 3;
const betweenAttempts = { first: 10, most: 200 } as const;
/** A COMMIT is not cancelled at the deadline (its outcome would be unknown) but given a little longer. */
const commitPatience = 1_000;
const rollbackPatience = 1_000;

/** What traces show of a statement: its text, in which each value is a `$1`, and never the values. */
export function spanOf(statement?: Pick<Statement, 'text'>): SpanOptions {
  return { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement?.text } };
}

/** See Database.transact. */
export async function runTransaction<Result>(
  source: TransactionSource,
  work: (transaction: Transaction) => Promise<Result>,
  options: TransactOptions,
): Promise<Result> {
  const attempts = options.attempts ?? usualAttempts;
  let staleConnections = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(source, work, options, attempt);
    } catch (error) {
      const isStale = isStalePlan(error) && (staleConnections += 1) <= 10;
      if (!isStale && (!isRepeatable(error) || attempt >= attempts)) throw error;
      const wait = backoffPause(attempt, betweenAttempts);
      if (options.deadline !== undefined && remaining(options.deadline) <= wait) throw error;
      source.repeated();
      await pause(wait);
      if (isStale) attempt -= 1;
    }
  }
}

async function runOnce<Result>(
  source: TransactionSource,
  work: (transaction: Transaction) => Promise<Result>,
  options: TransactOptions,
  attempt: number,
): Promise<Result> {
  const connection = await source.acquire();
  const transaction = new OpenTransaction(connection, options.deadline, attempt);
  let committing = false;
  try {
    await connection.run(beginText(source, options), options.deadline);
    const result = await work(transaction);
    await transaction.end();
    committing = true;
    await commit(connection, transaction, options.deadline);
    return result;
  } catch (error) {
    await transaction.end();
    await rollBack(connection);
    // The error that lost the transaction decides that it runs again, not the error that the work made of it.
    if (transaction.conflict !== undefined) throw transaction.conflict;
    // The server rolls back a transaction that is lost before its COMMIT is sent.
    if (!committing && error instanceof PostgresUnavailable) throw new PostgresUnavailable('none', { cause: error });
    throw error;
  } finally {
    connection.release();
  }
}

/** One message opens the transaction and sets what differs from the connection's own limits. */
function beginText(source: TransactionSource, options: TransactOptions): string {
  const { isolation = 'read committed', readOnly = false, lockTimeout, statementTimeout, deadline } = options;
  const texts = [`begin isolation level ${isolation}${readOnly ? ' read only' : ''}`];
  if (lockTimeout !== undefined && lockTimeout !== source.usualLockTimeout) {
    texts.push(`set local lock_timeout = ${milliseconds(lockTimeout)}`);
  }
  const left = deadline === undefined ? Infinity : remaining(deadline);
  const most = Math.min(left, statementTimeout ?? source.usualStatementTimeout);
  if (most !== source.usualStatementTimeout) texts.push(`set local statement_timeout = ${milliseconds(most)}`);
  return texts.join('; ');
}

/** PostgreSQL takes 0 as "no limit". */
function milliseconds(value: number): number {
  return Math.max(1, Math.ceil(value));
}

async function commit(
  connection: Connection,
  transaction: OpenTransaction,
  deadline: Deadline | undefined,
): Promise<void> {
  const left = deadline === undefined ? Infinity : remaining(deadline);
  if (left <= 0) throw new DeadlineExceeded('PostgreSQL');
  let tag: string;
  try {
    ({ command: tag } = await withSpan('postgres commit', spanOf(), () =>
      connection.run('commit', left === Infinity ? undefined : deadlineIn(left + commitPatience)),
    ));
  } catch (error) {
    if (error instanceof TransactionConflict) {
      transaction.conflict = error;
      throw error;
    }
    // A refusal (a deferred constraint) says that nothing was written; anything else leaves it open.
    if (!(error instanceof PostgresUnavailable || error instanceof DeadlineExceeded)) throw error;
    connection.discard();
    throw new PostgresUnavailable('unknown', { cause: error });
  }
  // The server answers ROLLBACK to the COMMIT of a transaction in which a statement failed.
  if (tag !== 'COMMIT') throw transaction.failure ?? new PostgresUnavailable('none');
}

async function rollBack(connection: Connection): Promise<void> {
  await connection.settled();
  if (!connection.usable) return;
  try {
    await connection.run('rollback', deadlineIn(rollbackPatience));
  } catch {
    connection.discard();
  }
}

class OpenTransaction implements Transaction {
  readonly attempt: number;
  /** The serialization failure or deadlock that lost this transaction. */
  conflict: Error | undefined;
  /** The first error of a statement, in case the work hides it. */
  failure: Error | undefined;
  readonly #connection: Connection;
  readonly #deadline: Deadline | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(connection: Connection, deadline: Deadline | undefined, attempt: number) {
    this.#connection = connection;
    this.#deadline = deadline;
    this.attempt = attempt;
  }

  async query<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row[]> {
    return (await this.#send(statement, options)).rows as Row[];
  }

  async each<Row>(statement: Statement<Row>, take: (row: Row) => void, options?: QueryOptions): Promise<void> {
    await this.#send(statement, options, take as TakeRow);
  }

  async one<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row> {
    return onlyRow((await this.#send(statement, options)).rows as Row[]);
  }

  async maybeOne<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row | undefined> {
    return atMostOneRow((await this.#send(statement, options)).rows as Row[]);
  }

  async execute(statement: Statement, options?: QueryOptions): Promise<number> {
    return (await this.#send(statement, options)).rowCount ?? 0;
  }

  /** No statement is taken from now on; those under way have ended when it resolves. */
  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#last;
  }

  /** Statements of one transaction run one after the other, also when they are asked for at once. */
  #send(statement: Statement, options: QueryOptions | undefined, take?: TakeRow): ReturnType<Connection['send']> {
    if (!this.#isOpen) return Promise.reject(new TypeError('the transaction has ended'));
    const answer = this.#last.then(() => this.#sendNow(statement, options?.deadline ?? this.#deadline, take));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #sendNow(
    statement: Statement, deadline: Deadline | undefined, take: TakeRow | undefined,
  ): ReturnType<Connection['send']> {
    try {
      return await withSpan('postgres statement', spanOf(statement), () =>
        this.#connection.send(statement, deadline, take),
      );
    } catch (error) {
      if (error instanceof Error) {
        Error.captureStackTrace(error);
        if (isRepeatable(error) || isStalePlan(error)) this.conflict ??= error;
        this.failure ??= error;
      }
      throw error;
    }
  }
}
