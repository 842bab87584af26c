import { backoffPause, type Logger, pause } from '@platform/service';
import type pg from 'pg';
import { abandon, OwnSocketClient } from './abandon.ts';
import { startSession } from './session.ts';
import { quoteIdentifier } from './sql.ts';

/**
 * Notifications of committed changes (NOTIFY; `sql/notices.sql`). A notification may be lost, so a loop that waits for
 * notifications must also poll.
 */
export interface Notices {
  /** Whether this process is connected and receives notifications now. */
  readonly areHeard: boolean;
  /**
   * Calls `heard` after each notification of `topic`, and after each change of `areHeard`. While `areHeard` is false,
   * notifications are lost.
   */
  on(topic: string, heard: () => void): void;
}

/** Interval between checks that the server still answers, in milliseconds. */
const askEveryMs = 30_000;
/** Time limit of a connection attempt and of each answer of the server, in milliseconds. */
const answerMs = 5_000;
const backoff = { first: 100, most: 5_000 };

/**
 * Returns an object that connects to PostgreSQL at the first call of `on`. If the connection fails or is lost, the
 * object connects again. Disposing closes the connection.
 */
export function createNotices(server: pg.ClientConfig, schema: string, log: Logger): Notices & AsyncDisposable {
  const start = startSession({ schema });
  const topics = new Map<string, (() => void)[]>();
  const stopping = new AbortController();
  let areHeard = false;
  let running: Promise<void> | undefined;

  function change(heard: boolean): void {
    if (areHeard === heard) return;
    areHeard = heard;
    for (const calls of topics.values()) calls.forEach((call) => call());
  }

  /** Listens until the notices are disposed. @throws Error if the connection fails or is lost */
  async function listen(): Promise<void> {
    const client = new OwnSocketClient({
      ...server, connectionTimeoutMillis: answerMs, query_timeout: answerMs, keepAlive: true,
    });
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('the connection was closed')));
    client.on('notification', ({ payload = '' }) => topics.get(payload)?.forEach((call) => call()));
    const close = (): void => abandon(client);
    stopping.signal.addEventListener('abort', close);
    try {
      await client.connect();
      await start(client);
      await client.query(`listen ${quoteIdentifier(schema)}`);
      change(true);
      // Query regularly, to notice a server that has vanished without closing the connection.
      for (;;) {
        await Promise.race([pause(askEveryMs, stopping.signal), lost.promise]);
        if (stopping.signal.aborted) return;
        await client.query('select 1');
      }
    } finally {
      stopping.signal.removeEventListener('abort', close);
      close();
      change(false);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const begun = performance.now();
      const error: unknown = await listen().catch((reason: unknown) => reason);
      if (stopping.signal.aborted) return;
      failures = performance.now() - begun > askEveryMs ? 1 : failures + 1;
      log.debug({ failures, error }, 'the connection for notifications of PostgreSQL failed; connecting again');
      await pause(backoffPause(failures, backoff), stopping.signal);
    }
  }

  return {
    get areHeard() {
      return areHeard;
    },
    on: (topic, heard) => {
      topics.set(topic, [...topics.get(topic) ?? [], heard]);
      running ??= run();
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
