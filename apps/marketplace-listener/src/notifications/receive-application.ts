import { addJobs } from '@platform/jobs';
import type { Queryable } from '@platform/postgres';
import { type CallContext, Fault, internalFault } from '@platform/rpc';
import { removeArchives } from '../archive/store.ts';
import { insertAudit } from '../audit/store.ts';
import { newPublicId } from '../installers/ids.ts';
import type { Parts } from '../parts.ts';
import { alert } from '../subscriptions/alert.ts';
import { fetchGroupLater, settleLater } from '../subscriptions/jobs.ts';
import { findNotification, insertNotification, noteAnswered } from '../subscriptions/notification-store.ts';
import { settleContracts } from '../subscriptions/settle-contracts.ts';
import { deletionBy, move } from '../subscriptions/state.ts';
import {
  closeSubscription, insertOfApplication, lockOfApplication, noteEvent, noteRevocationFailed, setState,
  type SubscriptionRow, updateTerms,
} from '../subscriptions/store.ts';
import type { Heard } from './heard.ts';

/** A PUT or DELETE of provider B whose required members are there. */
export type HeardOfApplication = Heard & { readonly applicationId: string; readonly eventTime: Date };

/** Makes or updates the subscription of an application (open-points 11.2). @returns its id when it was changed */
export async function receivePut(
  { database, config, applications }: Parts, heard: HeardOfApplication, { deadline }: CallContext,
): Promise<number | undefined> {
  const { applicationId, eventTime, digests, data, provisioningState, plan, resourceUsageId } = heard;
  return database.transact(async (transaction) => {
    await insertOfApplication(transaction, newPublicId(), applicationId);
    const subscription = (await lockOfApplication(transaction, applicationId))!;
    if (await findNotification(transaction, digests)) return undefined;
    const { id } = subscription;
    const [notification] = digests;
    await insertNotification(transaction, notification, id, true);
    if (isLate(subscription, eventTime)) {
      await ignore(transaction, id, 'put', heard);
      return undefined;
    }
    await updateTerms(transaction, id, { eventAt: eventTime, plan, resourceUsageId });
    await insertAudit(transaction, id, {
      operation: 'put', status: 'success', notification, data,
      description: `The application was put${provisioningState ? `: ${provisioningState}` : ''}.`,
    });
    const failed = provisioningState === 'Failed' ? move(subscription.state, 'provisioning failed') : undefined;
    if (failed !== undefined) {
      await setState(transaction, id, failed.to);
      await alert(transaction, id, config.alertEmails, 'the marketplace reports that provisioning failed');
    }
    if (applications !== undefined) await addJobs(transaction, [fetchGroupLater(id)]);
    return id;
  }, { deadline });
}

/**
 * Ends the subscription of an application (open-points 11.2, 11.3): the change is committed first, then its contracts
 * are revoked.
 * @throws Fault SUBSCRIPTION_NOT_FOUND, INVALID_VALUE; INTERNAL when they cannot be revoked now: a job goes on
 */
export async function receiveDelete(parts: Parts, heard: HeardOfApplication, context: CallContext): Promise<void> {
  const { database } = parts;
  const applied = await database.transact((transaction) => applyDelete(transaction, heard), context);
  if (applied === undefined) return;
  const { id, digest } = applied;
  try {
    await settleContracts(parts, id, context);
  } catch (cause) {
    await database.transact(async (transaction) => {
      await lockOfApplication(transaction, heard.applicationId);
      if (!(await noteRevocationFailed(transaction, id))) return;
      await insertAudit(transaction, id, {
        operation: 'delete', status: 'failure', notification: digest, data: heard.data,
        description: 'The contracts could not be revoked yet.',
      });
    });
    throw internalFault(cause);
  }
  await database.transact(async (transaction) => {
    if (!(await noteAnswered(transaction, digest))) return;
    await insertAudit(transaction, id, { ...deleted, notification: digest, data: heard.data });
  }, context);
}

const deleted = {
  operation: 'delete', status: 'success', description: 'The application was deleted, or is being deleted.',
} as const;

/** @returns undefined when nothing is to be done */
async function applyDelete(
  transaction: Queryable, heard: HeardOfApplication,
): Promise<{ id: number; digest: Buffer } | undefined> {
  const { applicationId, digests, eventTime, provisioningState, data } = heard;
  const subscription = await lockOfApplication(transaction, applicationId);
  if (subscription === undefined) {
    throw new Fault('SUBSCRIPTION_NOT_FOUND', 'there is no subscription of this application');
  }
  const seen = await findNotification(transaction, digests);
  if (seen?.answered === true) return undefined;
  const { id } = subscription;
  const trigger = deletionBy(provisioningState);
  if (trigger === undefined) {
    const message = 'must be Deleting, Accepted, Deleted, Succeeded or Failed';
    throw new Fault('INVALID_VALUE', `provisioningState ${message}`, {
      violations: [{ path: 'provisioningState', message }],
    });
  }
  const digest = seen?.digest ?? digests[0];
  const isDone = isLate(subscription, eventTime);
  if (seen === undefined) {
    await insertNotification(transaction, digest, id, isDone);
    if (isDone) {
      await ignore(transaction, id, 'delete', heard);
      return undefined;
    }
    await insertAudit(transaction, id, { ...deleted, notification: digest, data });
  }
  // One that was begun and not finished goes on; what came later holds.
  if (!isDone) {
    await noteEvent(transaction, id, eventTime);
    await closeSubscription(transaction, id, move(subscription.state, trigger)!.to);
    await removeArchives(transaction, id);
    await addJobs(transaction, [settleLater(id)]);
  }
  return { id, digest };
}

/** An event that came after a later one, and one after the end (open-points 11.2, 11.8). */
function isLate({ state, endsDeleted, lastEventAt }: SubscriptionRow, eventTime: Date): boolean {
  return state === 'Deleted' || endsDeleted || (lastEventAt !== null && eventTime < lastEventAt);
}

async function ignore(
  transaction: Queryable, id: number, operation: 'put' | 'delete', { digests, data }: Heard,
): Promise<void> {
  await insertAudit(transaction, id, {
    operation, status: 'ignored', notification: digests[0], data,
    description: 'A later event was applied before, or the subscription is deleted.',
  });
}
