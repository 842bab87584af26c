import { Fault, unavailable } from '@platform/faults';
import type { OutgoingContext } from '@platform/rpc';
import { removeArchives } from '../archive/store.ts';
import { insertAudit, settleEntries } from '../audit/store.ts';
import { releaseInstaller } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { alert } from './alert.ts';
import { forgetNotification, unansweredNotifications } from './notification-store.ts';
import { move } from './state.ts';
import {
  lockSubscription, noteContractsMade, noteContractsRevoked, readDueContracts, setState, unbindSubscription,
} from './store.ts';

/** If contracts are refused for one of these reasons, the bind is undone: a repeated call would be refused again. */
const final: ReadonlySet<string> = new Set(['INVALID_VALUE', 'UNSUPPORTED_PRODUCT', 'NOT_FOUND']);

/** Maximum number of attempts in one call. Each attempt reads the subscription again, because it may have changed. */
const attempts = 5;

/**
 * Creates or revokes the contracts of a subscription, as the column `contracts` requires. Calls may be repeated.
 * @returns `made`: the contracts were created, and may be revoked by now; `closed`: the subscription ended before
 *   contracts were created; `failed`: the contracts cannot be created, and the bind is undone (open-points 11.3)
 * @throws the errors of contracts-licensing and the database; Fault UNAVAILABLE after too many attempts
 */
export async function settleContracts(
  parts: Parts, subscriptionId: number, context: OutgoingContext,
): Promise<'made' | 'closed' | 'failed'> {
  const { database, contracts, config } = parts;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const due = await readDueContracts(database, subscriptionId, { deadline: context.deadline });
    switch (due?.contracts) {
      case 'due': {
        const { publicId, installerName, ownerId, clusterUid } = due;
        let contractIds: readonly number[];
        try {
          ({ contractIds } = await contracts.putSubscriptionContracts({
            subscriptionId: publicId, ownerId: ownerId ?? 0, name: installerName ?? '', clusterUid: clusterUid ?? '',
            products: [...config.products],
          }, context));
        } catch (error) {
          // The contracts were revoked meanwhile. The next attempt reads the row again.
          if (error instanceof Fault && error.reason === 'SUBSCRIPTION_CLOSED') break;
          if (!(error instanceof Fault) || !final.has(error.reason)) throw error;
          if (await takeBack(parts, subscriptionId, error)) return 'failed';
          break;
        }
        await database.transact(async (transaction) => {
          if (await noteContractsMade(transaction, subscriptionId, contractIds)) {
            await settleEntries(transaction, subscriptionId, ['bind'], bound(contractIds));
          }
        });
        break;
      }
      case 'revocation_due': {
        const { contractIds } = await contracts.revokeSubscriptionContracts({ subscriptionId: due.publicId }, context);
        await database.transact(async (transaction) => {
          if (!(await noteContractsRevoked(transaction, subscriptionId, contractIds))) return;
          await settleEntries(transaction, subscriptionId, ['delete', 'revoke'], {
            status: 'success', description: 'The subscription has ended and its contracts are revoked.',
            data: { contractIds },
          });
          await settleEntries(transaction, subscriptionId, ['bind'], contractIds.length > 0 ? bound(contractIds) : {
            status: 'failure', description: 'The subscription ended before its contracts were created.',
          });
        });
        break;
      }
      case 'made':
        return 'made';
      case 'revoked':
        return due.contractIds.length > 0 ? 'made' : 'closed';
      default:
        return 'failed';
    }
  }
  throw unavailable('the creation or revocation of the contracts');
}

function bound(contractIds: readonly number[]) {
  return { status: 'success', description: 'The installer was bound.', data: { contractIds } } as const;
}

/** Undoes a bind whose contracts cannot be created. @returns false if the contracts are no longer due */
async function takeBack({ database, config }: Parts, subscriptionId: number, cause: Fault): Promise<boolean> {
  return database.transact(async (transaction) => {
    const subscription = await lockSubscription(transaction, subscriptionId);
    if (subscription?.contracts !== 'due') return false;
    const { state, installerId } = subscription;
    const failed = move(state, 'provisioning failed');
    if (failed !== undefined) await setState(transaction, subscriptionId, failed.to);
    const reason = `cannot create the contracts: ${cause.message}`;
    for (const notification of await unansweredNotifications(transaction, subscriptionId)) {
      const entry = { operation: 'bind', status: 'failure', description: reason, notification } as const;
      await insertAudit(transaction, subscriptionId, entry);
      // Forget the notification, so that it is applied again if the provider repeats it.
      await forgetNotification(transaction, notification);
    }
    await removeArchives(transaction, subscriptionId);
    await unbindSubscription(transaction, subscriptionId);
    if (installerId !== null) await releaseInstaller(transaction, installerId);
    if (failed?.alerts === true) await alert(transaction, subscriptionId, config.alertEmails, reason);
    return true;
  });
}
