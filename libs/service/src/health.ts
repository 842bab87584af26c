import { type Deadline, deadlineIn, within } from './deadline.ts';

/** Throws if a dependency of this process is not usable. A check must not call another service of the platform. */
export type Check = (deadline: Deadline) => Promise<unknown>;

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** Reason of a failure, for operators. */
  readonly reason?: string;
  /** Present only if the process can work without this dependency. */
  readonly needed?: false;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly stopping: boolean;
  readonly checks: readonly CheckResult[];
}

/** Tells, from the results of checks, whether this process should receive requests. */
export interface Readiness {
  needs(name: string, check: Check): void;
  /** Adds the check of a dependency without which the process can work. Failures are only reported. */
  mentions(name: string, check: Check): void;
  /** Runs all checks at once, with the same deadline for all. Concurrent callers share one run. */
  report(): Promise<ReadinessReport>;
  /** Call this when the process stops. All later reports say that the process is not ready. */
  stop(): void;
}

/** @param timeoutMs time limit of the checks of one report, in milliseconds; default 2,000 */
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
    needs: (name, check) => void all.set(name, { check, isNeeded: true }),
    mentions: (name, check) => void all.set(name, { check, isNeeded: false }),
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
