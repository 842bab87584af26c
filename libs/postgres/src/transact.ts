import {
  backoffPause, type Deadline, DeadlineExceeded, deadlineIn, pause, remaining, type SpanOptions, withSpan,
} from '@platform/service';
import type { Connection, TakeRow } from './connection.ts';
import type { QueryOptions, Transaction, TransactOptions } from './database.ts';
import { PostgresUnavailable, TransactionConflict } from './errors.ts';
import { Sender } from './sender.ts';
import type { Statement } from './sql.ts';
import { isRepeatable, isStalePlan } from './translate-error.ts';

interface TransactionSource {
  acquire(): Promise<Connection>;
  /** The setting `statement_timeout` of each connection, in milliseconds. */
  readonly usualStatementTimeout: number;
  /** The setting `lock_timeout` of each connection, in milliseconds. */
  readonly usualLockTimeout: number;
  /** Called before each further attempt. */
  repeated(): void;
}

const usualAttempts = 3;
const betweenAttempts = { first: 10, most: 200 } as const;
/** Extra time for a COMMIT after the deadline, in milliseconds. The outcome of a cancelled COMMIT would be unknown. */
const commitPatience = 1_000;
const rollbackPatience = 1_000;

/** Returns the options of a trace span. With a statement, they contain its text, with `$1…` in place of the values. */
export function spanOf(statement?: Pick<Statement, 'text'>): SpanOptions {
  return { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement?.text } };
}

export async function runTransaction<Result>(
  source: TransactionSource, work: (transaction: Transaction) => Promise<Result>, options: TransactOptions,
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
  source: TransactionSource, work: (transaction: Transaction) => Promise<Result>, options: TransactOptions,
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
    // Throw the conflict even if `work` threw another error. Otherwise the transaction would not be repeated.
    if (transaction.conflict !== undefined) throw transaction.conflict;
    // If the connection was lost before the COMMIT was sent, the server rolls back, so the transaction had no effect.
    if (!committing && error instanceof PostgresUnavailable) throw new PostgresUnavailable('none', { cause: error });
    throw error;
  } finally {
    connection.release();
  }
}

/** Returns SQL that begins the transaction and sets each limit that differs from the setting of the connection. */
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

/** Rounds a time limit up to whole milliseconds, at least 1. To PostgreSQL, 0 means "no limit". */
function milliseconds(value: number): number {
  return Math.max(1, Math.ceil(value));
}

async function commit(connection: Connection, transaction: OpenTransaction, deadline?: Deadline): Promise<void> {
  const left = deadline === undefined ? Infinity : remaining(deadline);
  if (left <= 0) throw new DeadlineExceeded('PostgreSQL');
  const send = () => connection.run('commit', left === Infinity ? undefined : deadlineIn(left + commitPatience));
  let tag: string;
  try {
    ({ command: tag } = await withSpan('postgres commit', spanOf(), send));
  } catch (error) {
    if (error instanceof TransactionConflict) {
      transaction.conflict = error;
      throw error;
    }
    // After PostgresUnavailable or DeadlineExceeded, the outcome is unknown. After other errors, nothing was written.
    if (!(error instanceof PostgresUnavailable || error instanceof DeadlineExceeded)) throw error;
    connection.discard();
    throw new PostgresUnavailable('unknown', { cause: error });
  }
  // If an earlier statement failed, the server answers ROLLBACK to the COMMIT.
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

class OpenTransaction extends Sender implements Transaction {
  readonly attempt: number;
  /** The serialization failure, deadlock or stale plan that made the transaction fail. */
  conflict: Error | undefined;
  /** The first error of a statement. If `work` has caught the error, the commit throws it. */
  failure: Error | undefined;
  readonly #connection: Connection;
  readonly #deadline: Deadline | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(connection: Connection, deadline: Deadline | undefined, attempt: number) {
    super();
    this.#connection = connection;
    this.#deadline = deadline;
    this.attempt = attempt;
  }

  /** Refuses further statements, and waits until all earlier statements have ended. */
  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#last;
  }

  /** Sends statements one after the other, even if `work` starts several at once. */
  protected override send(
    statement: Statement, options?: QueryOptions, take?: TakeRow,
  ): ReturnType<Connection['send']> {
    if (!this.#isOpen) return Promise.reject(new TypeError('the transaction has ended'));
    const answer = this.#last.then(() => this.#sendNow(statement, options?.deadline ?? this.#deadline, take));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #sendNow(statement: Statement, deadline?: Deadline, take?: TakeRow): ReturnType<Connection['send']> {
    const send = () => this.#connection.send(statement, deadline, take);
    try {
      return await withSpan('postgres statement', spanOf(statement), send);
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
