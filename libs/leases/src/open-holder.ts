import { randomUUID } from 'node:crypto';
import { type Deadline, deadlineIn, type Logger, loop } from '@platform/service';
import { Holder, type Kept } from './holder.ts';
import type { LeaseLine } from './line.ts';
import { now } from './now.ts';
import { leaseRules } from './rules.ts';

/** Registers, renews and ends the session of a holder at the authority. */
export interface LeaseSessions {
  register(session: string, replaces: string | undefined, deadline: Deadline): Promise<void>;
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
  /**
   * The session ends after this time without a question, in milliseconds; default 60,000. The next question starts a
   * new session.
   */
  readonly unusedMs?: number;
  /**
   * Called with true after each successful registration. Called with false when an unused session ends, when a holder
   * with a session is disposed, and when the connection to the bus is lost. Not called when a session ends for another
   * reason.
   */
  readonly changed?: (hasSession: boolean) => void;
  readonly log: Logger;
}

/** Keeps answers under a lease. Disposing drops the answers and ends the session. */
export interface OpenHolder<Value> extends AsyncDisposable {
  /** Returns the kept answer to a question, or undefined if the rows must be read. */
  look(question: string): Value | undefined;
  /** Calls `read` and returns its `result`. Keeps `kept` if the session, the rules (L2) and the size permit. */
  read<Result>(
    question: string, read: () => Promise<{ readonly result: Result; readonly kept: Kept<Value> | undefined }>,
  ): Promise<Result>;
}

export function openHolder<Value>(options: OpenHolderOptions): OpenHolder<Value> {
  const { sessions, line, lifetimeMs, mostBytes, unusedMs = 60_000, changed, log } = options;
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
    changed?.(false);
  });

  async function register(): Promise<void> {
    const session = randomUUID();
    const sentAt = now();
    holder.registers(session, sentAt);
    try {
      await sessions.register(session, before, deadlineIn(lifetimeMs / 3));
      before = undefined;
      holder.registered(session, sentAt, now());
      changed?.(true);
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

  const renewing = loop('lease-holder', lifetimeMs / 3, async () => {
    // While the bus is not connected, do not register or renew a session. The holder could not acknowledge changes, so
    // each change would have to wait for the end of a lease.
    if (!line.isOpen) return lifetimeMs / 3;
    isResting = performance.now() - usedAt >= unusedMs;
    const { session } = holder.state;
    if (isResting) {
      if (session !== undefined) await end(session);
      return unusedMs;
    }
    await (session === undefined ? register() : renew(session));
    return lifetimeMs / 3;
  }, log);

  async function end(session: string): Promise<void> {
    holder.end();
    changed?.(false);
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
      const number = holder.sends(question);
      try {
        const { result, kept } = await read();
        if (kept === undefined) holder.givesUp(number);
        else holder.answered(number, kept);
        return result;
      } catch (error) {
        holder.givesUp(number);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await renewing[Symbol.asyncDispose]();
      const session = holder.acknowledgesAs;
      if (session === undefined) holder.end();
      else await end(session);
    },
  };
}
