import { addJobs, type NewJob } from '@platform/jobs';
import type { Database, Transaction } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { Admission, OutgoingContext } from '@platform/rpc';
import { type Deadline, deadlineIn, remaining } from '@platform/service';
import { isSessionToken } from '@platform/values';
import { type AdmissionCheck, StandingTooOld } from './admission-check.ts';
import { type Actor, type AuditNote, insertAudit } from './audit.ts';
import { Attempt, type Step } from './kept/attempt.ts';
import type { Lock, Locks } from './locks.ts';

/** The call that requests a write. Every CallContext is a WriteContext. */
export interface WriteContext extends OutgoingContext {
  readonly caller: Caller | undefined;
  readonly admission: Admission;
  readonly sourceAddress?: string;
  /** Whether the call was made with the credential of the operator. */
  readonly byOperator?: boolean;
  /** An {@link Attempt} or `Steps` if the answer may be stored for repeats of the request; otherwise undefined. */
  readonly attempt?: object | undefined;
}

/** The transaction of a write. Its locks are taken, and the caller's right to the write is confirmed. */
export interface Work extends Transaction {
  /** Adds audit entries. They are written after `act`, in the same transaction. */
  audit(...notes: readonly AuditNote[]): void;
  /** Adds a job (@platform/jobs), which is stored in the same transaction and runs after the commit. */
  effect(job: NewJob): void;
  /**
   * Calls `run` after the commit and before the answer, unless the process ends first. If `afterCommit` is used again
   * with the same name, the new function replaces the earlier function. An error of `run` fails the request.
   */
  afterCommit(name: string, run: (deadline: Deadline) => Promise<unknown>): void;
  /** Sets the actor of the audit entries. Only for a call without a caller, such as a sign-in. */
  actAs(account: Pick<Caller, 'id' | 'login'>): void;
}

/**
 * Changes rows in one transaction. It takes the locks, confirms the caller's admission (authorization.md W1, W2, R6),
 * runs `act`, and stores audit entries and jobs. `act` may run several times, so it must have no effects except through
 * `work`.
 * @throws AdmissionChanged (the guard then decides again); a Fault of the {@link AdmissionCheck}; an error of the
 *   database, of `act`, or of a function given to {@link Work.afterCommit}
 */
export type Write<Table extends string = string, In extends Work = Work> = <Result>(
  context: WriteContext, locks: readonly Lock<Table>[], act: (work: In) => Promise<Result>,
) => Promise<Result>;

export interface WriteOptions<Table extends string> {
  readonly database: Database;
  readonly locks: Locks<Table>;
  readonly admission: AdmissionCheck<Table>;
}

/** Time limit for the functions of {@link Work.afterCommit}, in milliseconds (authorization.md W4). */
const afterCommitMs = 25;

/**
 * Waits until the open write of this context, if any, is committed or rolled back. In a request with an
 * `Idempotency-Key`, a write may stay open until the handler has answered. Call this before you release something that
 * other calls wait for.
 */
export async function whenCommitted({ attempt }: Pick<WriteContext, 'attempt'>): Promise<void> {
  if (attempt instanceof Attempt) await attempt.whenCommitted();
}

export function createWrite<Table extends string>({ database, locks, admission }: WriteOptions<Table>): Write<Table> {
  return async (context, wanted, act) => {
    const { attempt } = context;
    if (!(attempt instanceof Attempt)) return change(context, wanted, act);
    return attempt.run((step) => change(context, wanted, act, step));
  };

  async function change<Result>(
    context: WriteContext, wanted: readonly Lock<Table>[], act: (work: Work) => Promise<Result>, step?: Step,
  ): Promise<Result> {
    for (;;) {
      const confirmation = await admission.begin(context);
      try {
        const { result, followUps } = await database.transact(async (transaction) => {
          await step?.enter(transaction);
          await locks.take(transaction, [...wanted, ...confirmation.locks]);
          await confirmation.confirm(transaction);
          const { work, noted } = openWork(transaction);
          const acted = await act(work);
          await insertAudit(transaction, actorOf(context, noted.account), noted.audit);
          await addJobs(transaction, noted.jobs);
          await step?.handOut(transaction, acted);
          confirmation.beforeCommit();
          return { result: acted, followUps: noted.followUps };
        }, { deadline: context.deadline });
        const patience = deadlineIn(Math.min(afterCommitMs, remaining(context.deadline)));
        await Promise.all([...followUps.values()].map((run) => run(patience)));
        return result;
      } catch (error) {
        if (!(error instanceof StandingTooOld)) throw error;
      }
    }
  }
}

/** What `act` has recorded through {@link Work}. */
interface Noted {
  readonly audit: AuditNote[];
  readonly jobs: NewJob[];
  readonly followUps: Map<string, (deadline: Deadline) => Promise<unknown>>;
  account: Pick<Caller, 'id' | 'login'> | undefined;
}

function openWork(transaction: Transaction): { readonly work: Work; readonly noted: Noted } {
  const noted: Noted = { audit: [], jobs: [], followUps: new Map(), account: undefined };
  const work: Work = {
    attempt: transaction.attempt,
    query: (statement, options) => transaction.query(statement, options),
    each: (statement, take, options) => transaction.each(statement, take, options),
    one: (statement, options) => transaction.one(statement, options),
    maybeOne: (statement, options) => transaction.maybeOne(statement, options),
    execute: (statement, options) => transaction.execute(statement, options),
    audit: (...notes) => void noted.audit.push(...notes),
    effect: (job) => void noted.jobs.push(job),
    afterCommit: (name, run) => void noted.followUps.set(name, run),
    actAs: (account) => void (noted.account = account),
  };
  return { work, noted };
}

function actorOf(
  { caller, requestId, token, sourceAddress: address = '', byOperator = false }: WriteContext,
  found: Noted['account'],
): Actor {
  const from = { requestId, address: address.slice(0, 64) };
  const account = caller ?? found;
  if (account === undefined) return { ...from, accountId: null, name: 'operator', via: byOperator ? 'cli' : 'service' };
  // Without a caller, the account comes from a sign-in, such as a link in a mail or OpenID Connect.
  const via = caller === undefined || (token !== undefined && isSessionToken(token)) ? 'session' : 'token';
  return { ...from, accountId: account.id, name: account.login, via };
}
