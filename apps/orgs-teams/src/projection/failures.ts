import { backoffPause, type Logger } from '@platform/service';

/** A part of an organization, such as a team, whose changes repeatedly could not be written to the engine. */
export interface FailingUnit {
  readonly organizationId: number;
  /** The unit as in the table `projection_pending`, such as `team:42`. */
  readonly unit: string;
  /** Number of consecutive failed attempts to write the organization's changes to the engine. */
  readonly attempts: number;
  readonly cause: string;
}

interface Failures {
  failed(organizationId: number, units: readonly string[], cause: unknown): void;
  settled(organizationId: number): void;
  /** Whether the pause after the last failure of the organization still lasts. */
  resting(organizationId: number): boolean;
  /** Returns the units of all organizations with at least {@link alarmAfter} consecutive failures. */
  list(): readonly FailingUnit[];
}

/** Number of consecutive failures of an organization after which its units are listed and an error is logged. */
const alarmAfter = 10;
const backoff = { first: 100, most: 1_000 };

interface Failure {
  attempts: number;
  restUntil: number;
  units: readonly string[];
  cause: string;
}

/**
 * Counts, for each organization, the consecutive failures to write its changes to the engine. The count decides when to
 * try again, and when to log an error.
 */
export function createFailures(log: Logger): Failures {
  const failures = new Map<number, Failure>();
  return {
    failed: (organizationId, pending, cause) => {
      const known = failures.get(organizationId);
      // Remove duplicates, because each change of a unit adds a row. If no pending rows are known, keep the units of
      // the last failure.
      const units = pending.length === 0 && known !== undefined ? known.units : [...new Set(pending)];
      const attempts = (known?.attempts ?? 0) + 1;
      const text = cause instanceof Error ? cause.message : String(cause);
      const restUntil = performance.now() + backoffPause(attempts, backoff);
      failures.set(organizationId, { attempts, restUntil, units, cause: text });
      const fields = { organizationId, units, attempts, error: cause };
      if (attempts % alarmAfter === 0) {
        log.error(fields, 'writes to the engine keep failing; requests that need them fail');
      } else {
        log.warn(fields, 'cannot write tuples to the engine; retrying');
      }
    },
    settled: (organizationId) => failures.delete(organizationId),
    resting: (organizationId) => (failures.get(organizationId)?.restUntil ?? 0) > performance.now(),
    list: () =>
      [...failures]
        .filter(([, { attempts }]) => attempts >= alarmAfter)
        .flatMap(([organizationId, { units, attempts, cause }]) =>
          units.map((unit) => ({ organizationId, unit, attempts, cause }))),
  };
}
