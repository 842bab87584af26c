import { randomUUID } from 'node:crypto';
import { type Deadline, deadlineIn, type Logger, loop, seldom } from '@platform/service';
import { Holder, type Kept } from './holder.ts';
import type { LeaseLine } from './line.ts';
import { now } from './now.ts';
import { leaseRules } from './rules.ts';

/** Registers, renews and ends the session of a holder at the authority. */
export interface LeaseSessions {
  /** Returns false if the authority keeps no sessions, because it has no bus. */
  register(session: string, replaces: string | undefined, deadline: Deadline): Promise<boolean>;
  /** Returns false if the session was revoked or has ended. */
  renew(session: string, deadline: Deadline): Promise<boolean>;
  end(session: string, deadline: Deadline): Promise<void>;
}

interface OpenHolderOptions {
  readonly sessions: LeaseSessions;
  readonly line: LeaseLine;
  readonly lifetimeMs: number;
  /** Maximum total size of kept answers, in bytes. */
  readonly mostBytes: number;
  /** Aborts when the process begins to stop. After that, no answer is kept. */
  readonly stopping: AbortSignal;
  /**
   * The session ends after this time without a question, in milliseconds; default 60,000. The next question starts a
   * new session.
   */
  readonly unusedMs?: number;
  readonly log: Logger;
}

/** Keeps answers under a lease. Disposing drops the answers and ends the session. */
export interface OpenHolder<Value> extends AsyncDisposable {
  /** Returns the kept answer to a question, or undefined if the rows must be read. */
  look(question: string): Value | undefined;
  /**
   * Calls `read` and returns its `result`. Keeps `kept` if the session, the rules (L2) and the size permit.
   * @param read called with `mayBeKept`: whether the answer may be kept. If true, `read` must read the rows of the
   *   authority.
   */
  read<Result>(question: string, read: ReadAnswer<Value, Result>): Promise<Result>;
}

type ReadAnswer<Value, Result> = (mayBeKept: boolean) =>
  Promise<{ readonly result: Result; readonly kept: Kept<Value> | undefined }>;

export function openHolder<Value>(options: OpenHolderOptions): OpenHolder<Value> {
  const { sessions, line, lifetimeMs, mostBytes, unusedMs = 60_000, stopping, log } = options;
  const holder = new Holder<Value>({ rules: leaseRules, lifetimeMs, mostBytes });
  /** Id of an earlier session that the authority may still store. The next registration deletes that session. */
  let before: string | undefined;
  let [usedAt, isResting] = [performance.now(), false];

  line.told((keys, acknowledge) => {
    for (const step of leaseRules.hearing) {
      const session = holder.acknowledgesAs;
      if (step === 'drop') holder.drops(keys);
      else if (session !== undefined) acknowledge(session);
    }
  });
  line.lost(() => {
    before = holder.acknowledgesAs ?? before;
    holder.end();
  });

  async function register(): Promise<void> {
    const session = randomUUID();
    const sentAt = now();
    holder.registers(session, sentAt);
    try {
      const isAccepted = await sessions.register(session, before, deadlineIn(lifetimeMs / 3));
      before = undefined;
      if (isAccepted) holder.registered(session, sentAt, now());
      else holder.refused(session);
    } catch (error) {
      // The authority may have stored this session. If so, the next registration deletes it.
      before = session;
      holder.refused(session);
      throw error;
    }
  }

  async function renew(session: string): Promise<void> {
    const sentAt = now();
    holder.observes(sentAt);
    const isLive = await sessions.renew(session, deadlineIn(lifetimeMs / 3));
    if (isLive) return holder.renewed(session, sentAt, now());
    before = session;
    holder.refused(session);
    return register();
  }

  const said = seldom();
  const renewing = loop('lease-holder', lifetimeMs / 3, async () => {
    // While the bus is not connected, do not register or renew a session. The holder could not acknowledge changes, so
    // each change would have to wait for the end of a lease.
    if (!line.isOpen || stopping.aborted) return lifetimeMs / 3;
    isResting = performance.now() - usedAt >= unusedMs;
    const { session } = holder.state;
    if (isResting) {
      if (session !== undefined) await end(session);
      return unusedMs;
    }
    try {
      await (session === undefined ? register() : renew(session));
    } catch (error) {
      const leftOut = said('session');
      if (leftOut !== undefined) log.warn({ leftOut, error }, 'cannot keep the session of a lease; retrying');
    }
    return lifetimeMs / 3;
  }, log);
  // End the session at once: the authority may stop at the same time as this process, and then no longer answers. A
  // session that is left behind delays the next change.
  const stopNow = () => {
    const session = holder.acknowledgesAs;
    if (session !== undefined) void end(session);
  };
  stopping.addEventListener('abort', stopNow);

  async function end(session: string): Promise<void> {
    holder.end();
    before = session;
    await sessions.end(session, deadlineIn(lifetimeMs / 3)).catch(() => undefined);
  }

  function use(): void {
    usedAt = performance.now();
    if (isResting) renewing.wake();
    isResting = false;
  }

  return {
    look: (question) => {
      use();
      return holder.look(question, now());
    },
    read: async (question, read) => {
      use();
      const { session } = holder.state;
      const number = holder.sends(question);
      try {
        const { result, kept } = await read(session !== undefined);
        if (kept === undefined) holder.givesUp(number);
        else holder.answered(number, kept);
        return result;
      } catch (error) {
        holder.givesUp(number);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping.removeEventListener('abort', stopNow);
      await renewing[Symbol.asyncDispose]();
      const session = holder.acknowledgesAs;
      if (session === undefined) holder.end();
      else await end(session);
    },
  };
}
