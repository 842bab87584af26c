import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '@platform/postgres';
import { coalesce, type Deadline, deadlineIn, loop, type Logger, pause, within } from '@platform/service';
import { Change } from './change.ts';
import { everything } from './holder.ts';
import type { LeaseLine } from './line.ts';
import { now } from './now.ts';
import { leaseRules } from './rules.ts';
import { finish, look, type Looked, revokeSessions, staleSessions } from './store.ts';

/** Publishes the keys of changes to the holders, in a loop and when `told` is called. Disposing ends the loop. */
export interface Teller extends AsyncDisposable {
  /**
   * Waits until all holders have stopped using the answers that earlier transactions made invalid (leases.md L4).
   * @throws DeadlineExceeded, or an error of the database. In both cases, holders may still use old answers.
   */
  told(deadline: Deadline): Promise<void>;
  /** Call this when this process has added or renewed a session. The loop then runs more often for `lifetimeMs`. */
  watch(lifetimeMs: number): void;
}

interface TellerOptions {
  readonly database: Database;
  /** Undefined without a bus. Each change then waits until the leases of all sessions have expired. */
  readonly line: LeaseLine | undefined;
  readonly lifetimeMs: number;
  readonly log: Logger;
}

/** How long a change waits for acknowledgements before it revokes the silent sessions, in milliseconds (L4). */
const silenceMs = 50;
/** Interval of the loop while this process adds and renews sessions, in milliseconds (L6). */
const loopMs = 250;
/** Usual interval of the loop while this process neither adds nor renews sessions, in milliseconds (L6). */
const idleLoopMs = 10_000;
/** The longest duration of one statement, in milliseconds. */
const statementMs = 2_000;
/** Maximum number of keys in a message. If more keys have changed, {@link everything} is published in their place. */
const mostKeys = 1_000;

interface Round {
  readonly change: Change;
  /** Resolves when all sessions that `change` waits for have acknowledged it. */
  readonly ended: PromiseWithResolvers<void>;
}

export function startTeller({ database, line, lifetimeMs, log }: TellerOptions): Teller {
  const options = { rules: leaseRules, lifetimeMs };
  const rounds = new Map<string, Round>();

  line?.acknowledged((round, session) => {
    const known = rounds.get(round);
    if (known === undefined) return;
    known.change.acknowledged(session);
    if (known.change.step === 'answer') known.ended.resolve();
  });

  /**
   * Starts a round: reads the changes from the database and publishes them. If another round has not read the database
   * yet, joins that round instead. So the round sees all earlier commits. A round does not wait for the end of the
   * previous round.
   */
  const begin = coalesce(async (_key: 'look'): Promise<{ readonly done: Promise<void> }> => {
    const change = new Change(options);
    change.committed(true);
    const looked = await look(database, deadlineIn(statementMs));
    change.looked(looked.sessions, looked.changes.length, now());
    const done = tell(change, looked);
    // Prevents an unhandled rejection if no caller waits for the round.
    done.catch(() => undefined);
    return { done };
  });

  async function tell(change: Change, { changes }: Looked): Promise<void> {
    const name = randomUUID();
    const round: Round = { change, ended: Promise.withResolvers() };
    rounds.set(name, round);
    try {
      while (change.step !== 'answer') await advance(change, name, round, changes);
    } finally {
      rounds.delete(name);
    }
    if (changes.length === 0) return;
    const forgetting = finish(database, changes.map(({ id }) => id), change.waiting, deadlineIn(statementMs));
    // If the deletion fails, a later round publishes the changes again.
    forgetting.catch((error: unknown) => log.warn({ error }, 'cannot delete published changes'));
  }

  async function advance(change: Change, name: string, { ended }: Round, changes: Looked['changes']): Promise<void> {
    switch (change.step) {
      case 'tell': {
        const keys = new Set(changes.map(({ key }) => key));
        // Call `told` before `line.tell`, because the holder of this process acknowledges during `line.tell`.
        change.told();
        return line?.tell(name, keys.size > mostKeys ? [everything] : [...keys]);
      }
      case 'listen':
        // Without `setImmediate`, a busy process could revoke a session whose acknowledgement has already arrived.
        await Promise.race([ended.promise, pause(silenceMs).then(() => setImmediate())]);
        return change.silence();
      case 'revoke':
        await revokeSessions(database, change.waiting, deadlineIn(statementMs));
        return change.revoked(now());
      default:
        await Promise.race([ended.promise, pause(Math.max(0, change.until - performance.now()) + 1)]);
        return change.waited(now());
    }
  }

  async function told(): Promise<void> {
    await (await begin('look')).done;
  }

  /** Sessions that the loop has revoked, with the time on the monotonic clock at which each lease has expired. */
  const waitingOut = new Map<string, number>();
  async function endStaleSessions(): Promise<void> {
    const stale = await staleSessions(database, deadlineIn(statementMs));
    const fresh = stale.filter(({ id }) => !waitingOut.has(id));
    if (fresh.length > 0) await revokeSessions(database, fresh.map(({ id }) => id), deadlineIn(statementMs));
    const revokedAt = performance.now();
    for (const session of fresh) waitingOut.set(session.id, revokedAt + session.lifetimeMs);
    const over = [...waitingOut].filter(([, until]) => performance.now() >= until).map(([id]) => id);
    for (const id of over) waitingOut.delete(id);
    if (over.length > 0) await finish(database, [], over, deadlineIn(statementMs));
  }

  /** Until this time on the monotonic clock, the interval of the loop is {@link loopMs}. */
  let watchesUntil = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const telling = loop('leases', loopMs, async () => {
    await told();
    if (performance.now() - checkedAt >= lifetimeMs) {
      checkedAt = performance.now();
      await endStaleSessions();
    }
    if (performance.now() < watchesUntil) return loopMs;
    return waitingOut.size > 0 ? lifetimeMs : idleLoopMs;
  }, log);

  return {
    told: (deadline) => within(deadline, told(), 'the replicas that keep data in memory'),
    watch: (sessionMs) => {
      const isResting = performance.now() >= watchesUntil;
      watchesUntil = Math.max(watchesUntil, performance.now() + sessionMs);
      if (isResting) telling.wake();
    },
    [Symbol.asyncDispose]: () => telling[Symbol.asyncDispose](),
  };
}
