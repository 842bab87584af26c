import type { Transaction } from '@platform/postgres';
import type { Admission, Guard, OutgoingContext } from '@platform/rpc';
import type { Lock } from './locks.ts';

/**
 * How a service confirms before the commit that the caller may make a write. orgs-teams reads the caller's rows again
 * under locks (authorization.md W2). Other services use {@link remoteAdmission}.
 */
export interface AdmissionCheck<Table extends string> {
  /**
   * Runs before each transaction. No row is locked yet, so it may call other services.
   * @throws AdmissionChanged, or a Fault of the called service
   */
  begin(context: OutgoingContext & { readonly admission: Admission }): Promise<Confirmation<Table>>;
}

/** The steps of an {@link AdmissionCheck} within one transaction. */
export interface Confirmation<Table extends string> {
  /** Locks that the check needs, in addition to the locks of the write. */
  readonly locks: readonly Lock<Table>[];
  /** Runs after all locks are taken and before the change. @throws AdmissionChanged, or Fault CONFLICT */
  confirm(transaction: Transaction): Promise<void>;
  /** Runs last. @throws StandingTooOld to roll back and run the write again from {@link AdmissionCheck.begin} */
  beforeCommit(): void;
}

export class StandingTooOld extends Error {
  override readonly name = 'StandingTooOld';
}

/** Maximum age of the caller's standing at a commit, in milliseconds (authorization.md R6). */
const oldestStandingMs = 1_000;

/**
 * The check for services other than orgs-teams. If the caller's standing is too old before the transaction, the check
 * reads the standing from orgs-teams again (authorization.md R6). If the standing becomes too old during the
 * transaction, the transaction is rolled back and the write runs again. No service is called while rows are locked.
 */
export function remoteAdmission(guard: Pick<Guard, 'renew'>): AdmissionCheck<never> {
  return {
    begin: async (context) => {
      const { admission } = context;
      const isOld = (readAt: number): boolean => performance.now() - readAt > oldestStandingMs;
      // The admission of a call without a caller is not based on a standing.
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
