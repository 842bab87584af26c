import { backoffPause, type Logger } from '@platform/service';

/** A unit that could not be written, again and again. */
export interface FailingUnit {
  readonly organizationId: number;
  /** As in projection_pending. */
  readonly unit: string;
  readonly attempts: number;
  readonly cause: string;
}

/** What failed how often: decides when to try again and when to raise the alarm. */
export interface Failures {
  failed(organizationId: number, units: readonly string[], cause: unknown): void;
  settled(organizationId: number): void;
  /** Whether the loop leaves the organization alone for now. */
  resting(organizationId: number): boolean;
  /** Those that have failed often enough for the alarm. */
  list(): readonly FailingUnit[];
}

/** As many failures in a row are no passing trouble. */
const alarmAfter = 10;
const backoff = { first: 100, most: 1_000 };

interface Failure {
  attempts: number;
  restUntil: number;
  units: readonly string[];
  cause: string;
}

export function createFailures(log: Logger): Failures {
  const failures = new Map<number, Failure>();
  return {
    failed: (organizationId, pending, cause) => {
      const known = failures.get(organizationId);
      // A unit waits once for each change of it. Where the rows could not be read, those that failed before still do.
      const units = pending.length === 0 && known !== undefined ? known.units : [...new Set(pending)];
      const attempts = (known?.attempts ?? 0) + 1;
      const text = cause instanceof Error ? cause.message : String(cause);
      const restUntil = performance.now() + backoffPause(attempts, backoff);
      failures.set(organizationId, { attempts, restUntil, units, cause: text });
      const fields = { organizationId, units, attempts, error: cause };
      if (attempts % alarmAfter === 0) log.error(fields, 'units fail again and again; what they touch is refused');
      else log.warn(fields, 'units could not be written and will be tried again');
    },
    settled: (organizationId) => {
      failures.delete(organizationId);
    },
    resting: (organizationId) => (failures.get(organizationId)?.restUntil ?? 0) > performance.now(),
    list: () =>
      [...failures]
        .filter(([, { attempts }]) => attempts >= alarmAfter)
        .flatMap(([organizationId, { units, attempts, cause }]) =>
          units.map((unit) => ({ organizationId, unit, attempts, cause }))),
  };
}
