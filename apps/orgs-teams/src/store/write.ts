import type { Database, Transaction } from '@platform/postgres';
import type { Admission, OutgoingContext } from '@platform/rpc';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import { deadlineIn, remaining } from '@platform/service';
import type { WhyNot } from '../domain/account-rights.ts';
import type { Settle } from '../projection/flights.ts';
import { admissionLocks, confirmAdmission } from './admission.ts';
import { type Actor, type AuditNote, insertAudit } from './audit.ts';
import { type Lock, takeLocks } from './locks.ts';

/** What a write is done for. A CallContext is one. */
export interface WriteContext extends OutgoingContext {
  readonly caller: Caller | undefined;
  readonly admission: Admission;
}

/** The transaction of a write, its locks taken and its admission confirmed. */
export interface Work extends Transaction {
  /** Notes changes in the same transaction. */
  audit(...notes: readonly AuditNote[]): Promise<void>;
  /** The structure of this organization changes: the engine is told right after the commit. */
  settles(organizationId: number): void;
}

/**
 * Changes rows: one transaction that takes the locks, confirms that the caller's admission still holds under them
 * (authorization.md W1, W2), and acts. `act` may run several times, so it does nothing but SQL through `work`. After
 * the commit the engine is given a moment to follow (W4); whatever comes of that, the change has been made.
 *
 * @throws AdmissionChanged (the guard decides anew), Fault of the act, Conflict
 */
export type Write = <Result>(
  context: WriteContext,
  locks: readonly Lock[],
  act: (work: Work) => Promise<Result>,
) => Promise<Result>;

/**
 * How long an answer waits for the engine to follow, in milliseconds (authorization.md W4): about as long as that takes
 * while little else goes on. Under load the wait would only move from who asks next to who changes (ADR 0072).
 */
const settleMs = 25;

export function createWrite(database: Database, settle: Settle, whyNot: WhyNot): Write {
  return async (context, locks, act) => {
    const actor = actorOf(context);
    let concerned = new Set<number>();
    const result = await database.transact(
      async (transaction) => {
        concerned = new Set();
        await takeLocks(transaction, [...locks, ...admissionLocks(context.admission)]);
        await confirmAdmission(transaction, context.admission, whyNot);
        return act(workOf(transaction, actor, concerned));
      },
      { deadline: context.deadline },
    );
    const patience = deadlineIn(Math.min(settleMs, remaining(context.deadline)));
    await Promise.all([...concerned].map((organizationId) => settle(organizationId, patience)));
    return result;
  };
}

function workOf(transaction: Transaction, actor: Actor, concerned: Set<number>): Work {
  return {
    attempt: transaction.attempt,
    query: (statement, options) => transaction.query(statement, options),
    one: (statement, options) => transaction.one(statement, options),
    maybeOne: (statement, options) => transaction.maybeOne(statement, options),
    execute: (statement, options) => transaction.execute(statement, options),
    audit: (...notes) => insertAudit(transaction, actor, notes),
    settles: (organizationId) => concerned.add(organizationId),
  };
}

function actorOf({ caller, requestId }: WriteContext): Actor {
  return caller === undefined
    ? { accountId: null, name: 'operator', requestId }
    : { accountId: caller.id, name: caller.login, requestId };
}
