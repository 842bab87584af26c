import type { Transaction } from '@platform/postgres';
import type { Admission, Guard, OutgoingContext } from '@platform/rpc';
import type { Lock } from './locks.ts';

/**
 * How a service confirms the caller's right to a write before the commit. orgs-teams locks the rows that give the
 * right, and reads them again (authorization.md W2). Other services use {@link remoteAdmission}.
 */
export interface AdmissionCheck<Table extends string> {
  /** Runs before each transaction, while no row is locked, so it may call other services. @throws AdmissionChanged */
  begin(context: OutgoingContext & { readonly admission: Admission }): Promise<Confirmation<Table>>;
}

/** The steps of an {@link AdmissionCheck} within one transaction. */
export interface Confirmation<Table extends string> {
  /** Locks on the rows that give the right, in addition to the locks of the write. */
  readonly locks: readonly Lock<Table>[];
  /** Runs when all locks are taken, before the change. @throws AdmissionChanged */
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
 * The check of every service except orgs-teams. Before the transaction, a standing that is too old (authorization.md
 * R6) is read again from orgs-teams. If the standing becomes too old during the transaction, the transaction is rolled
 * back. No service is called while rows are locked.
 */
export function remoteAdmission(guard: Pick<Guard, 'renew'>): AdmissionCheck<never> {
  return {
    begin: async (context) => {
      const { admission } = context;
      const isOld = (readAt: number): boolean => performance.now() - readAt > oldestStandingMs;
      // The operator and the platform itself are admitted by a credential, so no standing can become too old.
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
