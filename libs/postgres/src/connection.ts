import { type Deadline, DeadlineExceeded, remaining } from '@platform/service';
import pg from 'pg';
import { abandon } from './abandon.ts';
import type { Canceller } from './canceller.ts';
import { PostgresUnavailable } from './errors.ts';
import { type SessionSettings, startSession } from './session.ts';
import type { Statement } from './sql.ts';
import { isStalePlan, queryCanceled, sqlState, translateError } from './translate-error.ts';

export type TakeRow = (row: unknown) => void;

/** How long a server may stay silent after the time limit of a statement, in milliseconds. */
const silence = 1_000;
/** How long a cancelled statement may take to end before its connection is closed, in milliseconds. */
const cancelPatience = 1_000;

/** Connections that have failed or ended. */
const lost = new WeakSet<object>();

/**
 * Returns the `onConnect` function of a pool. The function prepares each new connection before its first use, and fails
 * if the connection is lost meanwhile. Otherwise pg-pool 3.14 would still hand out the lost connection.
 */
export function openConnection(settings: SessionSettings): (client: pg.ClientBase) => Promise<void> {
  const start = startSession(settings);
  return async (client) => {
    // Without a listener, a lost connection would end the process.
    client.on('error', () => lost.add(client));
    client.on('end', () => lost.add(client));
    await start(client);
    if (lost.has(client)) throw new Error('the connection to PostgreSQL was lost as soon as it was opened');
  };
}

/** A connection taken from the pool. It must be released exactly once, also after an error. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #canceller: Canceller;
  readonly #statementTimeout: number;
  readonly #released: () => void;
  #usable = true;
  #ending: Promise<void> | undefined;

  /** @param released called after the connection was returned to the pool or closed */
  constructor(client: pg.PoolClient, canceller: Canceller, statementTimeout: number, released: () => void) {
    this.#client = client;
    this.#canceller = canceller;
    this.#statementTimeout = statementTimeout;
    this.#released = released;
  }

  get usable(): boolean {
    return this.#usable && !lost.has(this.#client);
  }

  /**
   * Sends one statement. A statement with a name is prepared. At the deadline, the statement is cancelled.
   * @param take called with each row; the result then has no rows
   * @throws the errors of Queryable, PostgreSQL's own errors, and errors of `take`
   */
  send(
    { text, name, values = [] }: Pick<Statement, 'text'> & Partial<Statement>, deadline: Deadline | undefined,
    take?: TakeRow,
  ): Promise<pg.QueryResult> {
    const left = deadline === undefined ? Infinity : remaining(deadline);
    if (left <= 0) return Promise.reject(new DeadlineExceeded('PostgreSQL'));
    // The server ends a statement at `statement_timeout`. A server that stays silent longer counts as unreachable.
    const isDeadline = left < this.#statementTimeout + silence;
    const limit = isDeadline ? left : this.#statementTimeout + silence;
    return new Promise((resolve, reject) => {
      const { promise: answered, resolve: settle } = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => {
        this.#ending = isDeadline ? this.#cancel(answered) : this.#abandon();
        reject(isDeadline ? new DeadlineExceeded('PostgreSQL') : new PostgresUnavailable('unknown'));
      }, limit);
      const end = (error: unknown, result?: pg.QueryResult): void => {
        clearTimeout(timer);
        settle(error);
        if (error === null) resolve(result!);
        else reject(this.#translate(error, deadline));
      };
      const config = { text, values: values as unknown[], ...(name === undefined ? {} : { name }) };
      if (take === undefined) this.#client.query(config, end);
      else this.#client.query(eachRow(new pg.Query(config), take, end));
    });
  }

  /** Sends SQL without parameters. The SQL may contain several statements, which then need only one round trip. */
  async run(text: string, deadline?: Deadline): Promise<pg.QueryResult> {
    return this.send({ text }, deadline);
  }

  async settled(): Promise<void> {
    await this.#ending;
  }

  /**
   * Returns the connection to the pool, or closes it if it is unusable. If a statement is being cancelled, this happens
   * after the cancellation.
   */
  release(): void {
    if (this.#ending === undefined) this.#giveBack();
    else void this.#ending.finally(() => this.#giveBack());
  }

  /** Closes the connection now. `release` then removes it from the pool. */
  discard(): void {
    void this.#abandon();
  }

  #giveBack(): void {
    this.#client.release(!this.usable);
    this.#released();
  }

  #translate(error: unknown, deadline: Deadline | undefined): unknown {
    if (isFatal(error) || isStalePlan(error)) this.#usable = false;
    const isLate = deadline !== undefined && remaining(deadline) <= 0;
    if (isLate && sqlState(error) === queryCanceled) return new DeadlineExceeded('PostgreSQL');
    if (sqlState(error) === undefined && lost.has(this.#client)) {
      return new PostgresUnavailable('unknown', { cause: error });
    }
    return translateError(error);
  }

  async #cancel(answered: Promise<unknown>): Promise<void> {
    const patience = AbortSignal.timeout(cancelPatience);
    const tooLong = new Promise<undefined>((resolve) => {
      patience.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const sent = await Promise.race([this.#canceller(this.#client), tooLong]);
    const outcome = sent === true ? await Promise.race([answered, tooLong]) : undefined;
    // If the cancellation has not ended this statement, the cancellation could still hit the next statement.
    if (sqlState(outcome) !== queryCanceled) await this.#abandon();
  }

  async #abandon(): Promise<void> {
    this.#usable = false;
    abandon(this.#client);
  }
}

/**
 * Passes rows to `take` until `take` throws an error. Passes this error to `end` when the statement has ended, because
 * an error that leaves the listener of `row` would end the process.
 */
function eachRow(query: pg.Query, take: TakeRow, end: (error: unknown, result?: pg.QueryResult) => void): pg.Query {
  let mistake: unknown = null;
  return query
    .on('row', (row) => {
      try {
        if (mistake === null) take(row);
      } catch (error) {
        mistake = error;
      }
    })
    .on('error', end)
    .on('end', (result) => end(mistake, result as pg.QueryResult));
}

function isFatal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC');
}
