import { randomUUID } from 'node:crypto';
import type { Database } from '@platform/postgres';
import { coalesce, type Deadline, deadlineIn, loop, type Logger, pause, within } from '@platform/service';
import { Change } from './change.ts';
import { everything } from './holder.ts';
import type { LeaseLine } from './line.ts';
import { now } from './now.ts';
import { leaseRules } from './rules.ts';
import { finish, look, type Looked, revokeSessions, staleSessions } from './store.ts';

/** Tells holders what has changed. Disposing ends its loop. */
export interface Teller extends AsyncDisposable {
  /**
   * Returns once no holder uses what was changed by a transaction that ended before this call (leases.md L4).
   * @throws DeadlineExceeded, or what the database throws: then it is unknown
   */
  told(deadline: Deadline): Promise<void>;
}

export interface TellerOptions {
  readonly database: Database;
  /** Undefined without a bus: then each change waits until the sessions are over. */
  readonly line: LeaseLine | undefined;
  readonly lifetimeMs: number;
  readonly log: Logger;
}

/** How long a holder may be silent, in milliseconds (L4). */
const silenceMs = 50;
/** How often changes are looked for that nobody tells (L6). */
const loopMs = 250;
/** How often this process looks for them where it has no line: others tell them sooner. */
const idleLoopMs = 10_000;
/** A statement may take so long. */
const statementMs = 2_000;
/** More keys than this are told as everything. */
const mostKeys = 1_000;

interface Round {
  readonly change: Change;
  /** Resolves when nobody is waited for any more. */
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

  /** A look that began after the call. Rounds overlap: one that waits for a silent holder holds up no other. */
  const begin = coalesce(async (_key: 'look'): Promise<{ readonly done: Promise<void> }> => {
    const change = new Change(options);
    change.committed(true);
    const looked = await look(database, deadlineIn(statementMs));
    change.looked(looked.sessions, looked.changes.length, now());
    const done = tell(change, looked);
    // Somebody waits for it, or nobody does any more.
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
    // The loop tells again the changes that are left.
    forgetting.catch((error: unknown) => log.warn({ error }, 'cannot delete changes that holders have confirmed'));
  }

  async function advance(change: Change, name: string, { ended }: Round, changes: Looked['changes']): Promise<void> {
    switch (change.step) {
      case 'tell': {
        const keys = new Set(changes.map(({ key }) => key));
        line?.tell(name, keys.size > mostKeys ? [everything] : [...keys]);
        return change.told();
      }
      case 'listen':
        await Promise.race([ended.promise, pause(silenceMs)]);
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
    const { done } = await begin('look');
    await done;
  }

  /** Revoked by this loop, and when each is over on the monotonic clock. */
  const waitingOut = new Map<string, number>();
  let checkedAt = Number.NEGATIVE_INFINITY;
  const telling = loop('leases', line === undefined ? idleLoopMs : loopMs, async () => {
    await told();
    if (performance.now() - checkedAt < lifetimeMs) return;
    checkedAt = performance.now();
    const stale = await staleSessions(database, deadlineIn(statementMs));
    const fresh = stale.filter(({ id }) => !waitingOut.has(id));
    if (fresh.length > 0) await revokeSessions(database, fresh.map(({ id }) => id), deadlineIn(statementMs));
    const revokedAt = performance.now();
    for (const session of fresh) waitingOut.set(session.id, revokedAt + session.lifetimeMs);
    const over = [...waitingOut].filter(([, until]) => performance.now() >= until).map(([id]) => id);
    for (const id of over) waitingOut.delete(id);
    if (over.length > 0) await finish(database, [], over, deadlineIn(statementMs));
  }, log);

  return {
    told: (deadline) => within(deadline, told(), 'the holders of kept answers'),
    [Symbol.asyncDispose]: async () => {
      await telling[Symbol.asyncDispose]();
    },
  };
}
