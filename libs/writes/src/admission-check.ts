import type { Transaction } from '@platform/postgres';
import type { Admission, Guard, OutgoingContext } from '@platform/rpc';
import type { Lock } from './locks.ts';

/**
 * How a service ensures that the decision behind a write still holds when the change is committed. orgs-teams owns the
 * rows on which the decision rests and reads them again under locks (authorization.md W2); other services decide again
 * when the decision is older than R6 allows ({@link remoteAdmission}).
 */
export interface AdmissionCheck<Table extends string> {
  /**
   * Called before each transaction, while no row is locked, so it may call other services.
   * @throws AdmissionChanged when the decision no longer holds
   */
  begin(context: OutgoingContext & { readonly admission: Admission }): Promise<Confirmation<Table>>;
}

/** The steps of an {@link AdmissionCheck} within one transaction. */
export interface Confirmation<Table extends string> {
  /** Locks on the rows of the decision, in addition to the locks of the write. */
  readonly locks: readonly Lock<Table>[];
  /** Runs when all locks are taken, before the change. @throws AdmissionChanged */
  confirm(transaction: Transaction): Promise<void>;
  /** Runs last. @throws StandingTooOld to roll back and run the write again from {@link AdmissionCheck.begin} */
  beforeCommit(): void;
}

/** The standing has become too old while the write waited. It is read again outside the transaction. */
export class StandingTooOld extends Error {
  override readonly name = 'StandingTooOld';
}

/** Maximum age of the standing at a commit, in milliseconds (authorization.md R6). */
const oldestStandingMs = 1_000;

/**
 * The check of every service except orgs-teams. A standing older than R6 allows is read again before the transaction.
 * If the standing becomes too old within the transaction, because a row was locked or a statement was slow, the
 * transaction is rolled back: other services are never called while rows are locked.
 */
export function remoteAdmission(guard: Pick<Guard, 'renew'>): AdmissionCheck<never> {
  return {
    begin: async (context) => {
      const { admission } = context;
      const isOld = (readAt: number): boolean => performance.now() - readAt > oldestStandingMs;
      // A credential admits the operator and the platform itself, not rows.
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
