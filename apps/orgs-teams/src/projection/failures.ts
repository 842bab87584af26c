import { backoffPause, type Logger } from '@platform/service';

/** A unit that repeatedly could not be written. */
export interface FailingUnit {
  readonly organizationId: number;
  /** As in projection_pending. */
  readonly unit: string;
  readonly attempts: number;
  readonly cause: string;
}

/** Counts failures, to decide when to try again and when to raise the alarm. */
export interface Failures {
  failed(organizationId: number, units: readonly string[], cause: unknown): void;
  settled(organizationId: number): void;
  /** Whether the loop skips the organization for now. */
  resting(organizationId: number): boolean;
  /** The units that have failed often enough for the alarm. */
  list(): readonly FailingUnit[];
}

/** After this many failures in a row, the alarm is raised: the trouble is not temporary. */
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
      // Each change of a unit adds a row, so remove duplicates. If the rows could not be read, the units of the last
      // failure count.
      const units = pending.length === 0 && known !== undefined ? known.units : [...new Set(pending)];
      const attempts = (known?.attempts ?? 0) + 1;
      const text = cause instanceof Error ? cause.message : String(cause);
      const restUntil = performance.now() + backoffPause(attempts, backoff);
      failures.set(organizationId, { attempts, restUntil, units, cause: text });
      const fields = { organizationId, units, attempts, error: cause };
      if (attempts % alarmAfter === 0) log.error(fields, 'units fail repeatedly; dependent requests are refused');
      else log.warn(fields, 'cannot write units to the engine; retrying');
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
