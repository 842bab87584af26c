import type { Deadline } from './deadline.ts';
import { deadlineIn, within } from './deadline.ts';

/** Proves that something this process needs is usable; throws when it is not. Never asks another service of ours. */
export type Check = (deadline: Deadline) => Promise<unknown>;

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** Why not; a text for operators without secrets. */
  readonly reason?: string;
  /** Only with what this process goes on without. */
  readonly needed?: false;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly stopping: boolean;
  readonly checks: readonly CheckResult[];
}

/** Whether this process should be sent requests. The admin server and gRPC health answer from the same one. */
export interface Readiness {
  /** Adds something that this process needs. */
  needs(name: string, check: Check): void;
  /** Adds something whose state is reported, and that this process goes on without. */
  mentions(name: string, check: Check): void;
  /** Runs all checks at once, each with its own deadline. Callers at the same time share one run. */
  report(): Promise<ReadinessReport>;
  /** From now on not ready: the process finishes what it has and takes nothing new. */
  stop(): void;
}

/** @param timeoutMs how long one check may take, default 2 s */
export function createReadiness(checks: Readonly<Record<string, Check>> = {}, timeoutMs = 2_000): Readiness {
  const all = new Map(Object.entries(checks).map(([name, check]) => [name, { check, isNeeded: true }]));
  let stopping = false;
  let running: Promise<readonly CheckResult[]> | undefined;
  const run = async (): Promise<readonly CheckResult[]> => {
    const deadline = deadlineIn(timeoutMs);
    return Promise.all([...all].map(async ([name, { check, isNeeded }]) => {
      const result = await runCheck(name, check, deadline);
      return isNeeded ? result : { ...result, needed: false as const };
    }));
  };
  return {
    needs: (name, check) => {
      all.set(name, { check, isNeeded: true });
    },
    mentions: (name, check) => {
      all.set(name, { check, isNeeded: false });
    },
    report: async () => {
      running ??= run().finally(() => {
        running = undefined;
      });
      const results = await running;
      const ready = !stopping && results.every(({ ok, needed }) => ok || needed === false);
      return { ready, stopping, checks: results };
    },
    stop: () => {
      stopping = true;
    },
  };
}

async function runCheck(name: string, check: Check, deadline: Deadline): Promise<CheckResult> {
  try {
    await within(deadline, Promise.resolve(check(deadline)), name);
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
