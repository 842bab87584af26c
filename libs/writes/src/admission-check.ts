import type { Transaction } from '@platform/postgres';
import type { Admission, Guard, OutgoingContext } from '@platform/rpc';
import type { Lock } from './locks.ts';

/**
 * How a service makes sure that the decision it writes by still holds when the change is committed. orgs-teams owns the
 * rows the decision rests on and reads them again under locks (authorization.md W2); other services ask again when the
 * decision is older than R6 allows ({@link remoteAdmission}).
 */
export interface AdmissionCheck<Table extends string> {
  /**
   * Called before each transaction, when nothing is locked: it may call other services.
   * @throws AdmissionChanged when the decision does not hold any more
   */
  begin(context: OutgoingContext & { readonly admission: Admission }): Promise<Confirmation<Table>>;
}

/** The steps of an {@link AdmissionCheck} within one transaction. */
export interface Confirmation<Table extends string> {
  /** Locks on what the decision rests on, beside those of the write. */
  readonly locks: readonly Lock<Table>[];
  /** Runs under all locks, before the act. @throws AdmissionChanged */
  confirm(transaction: Transaction): Promise<void>;
  /** Runs last. @throws StandingTooOld to roll back and run the write again from {@link AdmissionCheck.begin} */
  beforeCommit(): void;
}

/** The standing has become too old while the write waited: it is read again, outside the transaction. */
export class StandingTooOld extends Error {
  override readonly name = 'StandingTooOld';
}

/** Nothing is committed by a standing older than this, in milliseconds (authorization.md R6). */
const oldestStandingMs = 1_000;

/**
 * The check of every service but orgs-teams. A standing older than R6 allows is read again before the transaction. One
 * that becomes too old within it, because a row was locked or a statement slow, rolls the transaction back: other
 * services are never called while rows are locked.
 */
export function remoteAdmission(guard: Pick<Guard, 'renew'>): AdmissionCheck<never> {
  return {
    begin: async (context) => {
      const { admission } = context;
      const isOld = (readAt: number): boolean => performance.now() - readAt > oldestStandingMs;
      // The operator and the platform itself are admitted by a credential, not by rows.
      const restsOnRows = admission.callerId !== 0;
      const readAt = restsOnRows && isOld(admission.readAt) ? await guard.renew(context) : admission.readAt;
      return {
        locks: [],
        confirm: async () => undefined,
        beforeCommit: () => {
          if (restsOnRows && isOld(readAt)) throw new StandingTooOld();
        },
      };
    },
  };
}
