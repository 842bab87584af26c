import { type Deadline, DeadlineExceeded, remaining } from '@platform/service';
import pg from 'pg';
import { abandon } from './abandon.ts';
import type { Canceller } from './canceller.ts';
import { PostgresUnavailable } from './errors.ts';
import { type SessionSettings, startSession } from './session.ts';
import { isStalePlan, queryCanceled, sqlState, translateError } from './translate-error.ts';

/** What is sent: a prepared statement with its values, or (without a name) a text of its own. */
export interface Sendable {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string | undefined;
}

/** Is called with a row when it arrives. */
export type TakeRow = (row: unknown) => void;

/** How much later than the server's own limit a silent server is given up. */
const silence = 1_000;
/** How long a cancelled statement may take to end before its connection is closed instead. */
const cancelPatience = 1_000;

/** Connections whose socket has failed; the pool drops them by itself. */
const lost = new WeakSet<object>();

/**
 * What a pool does with each new connection before anybody gets it (`onConnect`): it is watched, then set. The event
 * `connect` comes later: a connection that is lost meanwhile would be handed out as a good one (pg-pool 3.14).
 */
export function openConnection(settings: SessionSettings): (client: pg.ClientBase) => Promise<void> {
  const start = startSession(settings);
  return async (client) => {
    // Without a listener a lost connection would end the process.
    client.on('error', () => lost.add(client));
    client.on('end', () => lost.add(client));
    await start(client);
    if (lost.has(client)) throw new Error('the connection was lost immediately');
  };
}

/** A connection taken from the pool. It goes back once, through {@link Connection.release}, also after an error. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #canceller: Canceller;
  readonly #statementTimeout: number;
  readonly #released: () => void;
  #usable = true;
  #ending: Promise<void> | undefined;

  /** @param released called when the connection has gone back */
  constructor(client: pg.PoolClient, canceller: Canceller, statementTimeout: number, released: () => void) {
    this.#client = client;
    this.#canceller = canceller;
    this.#statementTimeout = statementTimeout;
    this.#released = released;
  }

  /** False once the connection must not be used again. */
  get usable(): boolean {
    return this.#usable && !lost.has(this.#client);
  }

  /**
   * Sends one statement and awaits its answer, until the deadline: then the statement is cancelled.
   * @param take called with each row, instead of their being kept
   * @throws the errors of Queryable, or PostgreSQL's own for a mistake in the statement
   */
  send(sendable: Sendable, deadline: Deadline | undefined, take?: TakeRow): Promise<pg.QueryResult> {
    const left = deadline === undefined ? Infinity : remaining(deadline);
    if (left <= 0) return Promise.reject(new DeadlineExceeded('PostgreSQL'));
    // The server itself ends a statement at its limit; if even that does not come, it is out of reach.
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
      const { text, name, values = [] } = sendable;
      const config = { text, values: values as unknown[], ...(name === undefined ? {} : { name }) };
      if (take === undefined) this.#client.query(config, end);
      else this.#client.query(eachRow(new pg.Query(config), take, end));
    });
  }

  /** Sends texts that take no values, as one message: several statements, one round trip. */
  async run(text: string, deadline?: Deadline): Promise<pg.QueryResult> {
    return this.send({ text }, deadline);
  }

  /** Awaits that nothing runs on the connection any more. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  /** Gives the connection back, once a cancelled statement has ended; one that is not usable is closed. */
  release(): void {
    if (this.#ending === undefined) this.#giveBack();
    else void this.#ending.finally(() => this.#giveBack());
  }

  /** Closes the connection now; release then drops it. */
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
    const sent = await Promise.race([this.#canceller.cancel(this.#client), tooLong]);
    const outcome = sent === true ? await Promise.race([answered, tooLong]) : undefined;
    // Only if the cancellation hit this very statement can it not hit the next one.
    if (sqlState(outcome) !== queryCanceled) await this.#abandon();
  }

  async #abandon(): Promise<void> {
    this.#usable = false;
    abandon(this.#client);
  }
}

/** The rows of this statement are not kept. What `take` throws waits for its end: it would end the process. */
function eachRow(
  query: pg.Query, take: TakeRow, end: (error: unknown, result?: pg.QueryResult) => void,
): pg.Query {
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
