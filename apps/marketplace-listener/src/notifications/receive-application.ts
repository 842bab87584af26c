import { Fault, internalFault } from '@platform/faults';
import { addJobs } from '@platform/jobs';
import type { Queryable } from '@platform/postgres';
import type { CallContext } from '@platform/rpc';
import { invalidValue } from '@platform/values';
import { removeArchives } from '../archive/store.ts';
import { insertAudit } from '../audit/store.ts';
import { newPublicId } from '../installers/ids.ts';
import type { Parts } from '../parts.ts';
import { alert } from '../subscriptions/alert.ts';
import { fetchGroupLater, settleLater } from '../subscriptions/jobs.ts';
import { findNotification, insertNotification, noteAnswered } from '../subscriptions/notification-store.ts';
import { settleContracts } from '../subscriptions/settle-contracts.ts';
import { deletionBy, move, type Trigger } from '../subscriptions/state.ts';
import {
  closeSubscription, insertOfApplication, lockOfApplication, noteEvent, noteRevocationFailed, setState,
  type SubscriptionRow, updateTerms,
} from '../subscriptions/store.ts';
import type { Payload } from './payload.ts';

/** A PUT or DELETE notification of provider B that has all required fields. */
export type ApplicationPayload = Payload & { readonly applicationId: string; readonly eventTime: Date };

/**
 * Creates or updates the subscription of an application (open-points 11.2).
 * @returns the id of the subscription; undefined if the notification does not change the subscription
 */
export async function receivePut(
  { database, config, providers }: Parts, payload: ApplicationPayload, { deadline }: CallContext,
): Promise<number | undefined> {
  const { applicationId, eventTime, digests, data, provisioningState, plan, resourceUsageId } = payload;
  return database.transact(async (transaction) => {
    await insertOfApplication(transaction, newPublicId(), applicationId);
    const subscription = (await lockOfApplication(transaction, applicationId))!;
    if (await findNotification(transaction, digests)) return undefined;
    const { id } = subscription;
    const [notification] = digests;
    await insertNotification(transaction, notification, id, true);
    if (isLate(subscription, eventTime)) {
      await ignore(transaction, id, 'put', payload);
      return undefined;
    }
    await updateTerms(transaction, id, { eventAt: eventTime, plan, resourceUsageId });
    await insertAudit(transaction, id, {
      operation: 'put', status: 'success', notification, data,
      description: `The marketplace reported the state of the application${
        provisioningState ? `: ${provisioningState}` : ''}.`,
    });
    const failed = provisioningState === 'Failed' ? move(subscription.state, 'provisioning failed') : undefined;
    if (failed !== undefined) {
      await setState(transaction, id, failed.to);
      await alert(transaction, id, config.alertEmails, 'the marketplace reports that provisioning failed');
    }
    if (providers.b !== undefined) await addJobs(transaction, [fetchGroupLater(id)]);
    return id;
  }, { deadline });
}

/**
 * Ends the subscription of an application (open-points 11.2, 11.3), then revokes its contracts.
 * @throws Fault SUBSCRIPTION_NOT_FOUND, INVALID_VALUE; INTERNAL if contracts cannot be revoked now (a job retries)
 */
export async function receiveDelete(parts: Parts, payload: ApplicationPayload, context: CallContext): Promise<void> {
  const { database } = parts;
  const trigger = deletionBy(payload.provisioningState);
  if (trigger === undefined) {
    const message = 'must be absent, Deleting, Accepted, Deleted, Succeeded or Failed';
    throw invalidValue([{ path: 'provisioningState', message }]);
  }
  const applied = await database.transact((transaction) => applyDelete(transaction, payload, trigger), context);
  if (applied === undefined) return;
  const { id, digest } = applied;
  try {
    await settleContracts(parts, id, context);
  } catch (cause) {
    await noteRevocationFailed(database, id);
    throw internalFault(cause);
  }
  await noteAnswered(database, digest);
}

/**
 * Applies the deletion of an application to its subscription. Returns undefined if the notification was answered
 * before, or if it is ignored because it is late.
 */
async function applyDelete(
  transaction: Queryable, payload: ApplicationPayload, trigger: Trigger,
): Promise<{ id: number; digest: Buffer } | undefined> {
  const { applicationId, digests, eventTime, data } = payload;
  const subscription = await lockOfApplication(transaction, applicationId);
  if (subscription === undefined) throw new Fault('SUBSCRIPTION_NOT_FOUND', 'this application has no subscription');
  const earlier = await findNotification(transaction, digests);
  if (earlier?.answered === true) return undefined;
  const { id } = subscription;
  const digest = earlier?.digest ?? digests[0];
  const isDone = isLate(subscription, eventTime);
  if (earlier === undefined) {
    await insertNotification(transaction, digest, id, isDone);
    if (isDone) {
      await ignore(transaction, id, 'delete', payload);
      return undefined;
    }
    await insertAudit(transaction, id, {
      operation: 'delete', notification: digest, data,
      ...(subscription.contracts === 'revoked'
        ? { status: 'success', description: 'The marketplace reported the deletion of the application.' }
        // The status becomes `success` when the contracts are revoked (settle-contracts.ts).
        : { status: 'failure', description: 'The contracts are not revoked yet.' }),
    });
  }
  // A repeated notification that was not answered with 200 is applied again, unless it is late by now.
  if (!isDone) {
    await noteEvent(transaction, id, eventTime);
    await closeSubscription(transaction, id, move(subscription.state, trigger)!.to);
    await removeArchives(transaction, id);
    await addJobs(transaction, [settleLater(id)]);
  }
  return { id, digest };
}

/**
 * Whether an event with a later time was applied, or the subscription is deleted (open-points 11.2, 11.8). A
 * subscription that becomes `Deleted` when its contracts are revoked counts as deleted.
 */
function isLate({ state, endsAs, lastEventAt }: SubscriptionRow, eventTime: Date): boolean {
  return state === 'Deleted' || endsAs === 'Deleted' || (lastEventAt !== null && eventTime < lastEventAt);
}

async function ignore(
  transaction: Queryable, id: number, operation: 'put' | 'delete', { digests, data }: Payload,
): Promise<void> {
  await insertAudit(transaction, id, {
    operation, status: 'ignored', notification: digests[0], data,
    description: 'An event with a later time was applied already, or the subscription is deleted.',
  });
}
