import { Fault, internalFault } from '@platform/faults';
import { addJobs } from '@platform/jobs';
import type { Queryable } from '@platform/postgres';
import type { CallContext } from '@platform/rpc';
import { baseUrlOf } from '@platform/service';
import { findValidArchive, insertArchive } from '../archive/store.ts';
import type { ArchiveValues } from '../archive/values.ts';
import { insertAudit } from '../audit/store.ts';
import { newPassword, newPublicId } from '../installers/ids.ts';
import { bindInstaller, findInstaller, type InstallerRow, lockInstaller } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { type BindDecision, decideBind } from '../subscriptions/bind-rules.ts';
import { settleLater } from '../subscriptions/jobs.ts';
import { findNotification, insertNotification, noteAnswered } from '../subscriptions/notification-store.ts';
import { settleContracts } from '../subscriptions/settle-contracts.ts';
import { move } from '../subscriptions/state.ts';
import {
  bindSubscription, findIdOfInstaller, insertOfApplication, lockOfApplication, lockOfInstaller, type SubscriptionRow,
} from '../subscriptions/store.ts';
import { type Binding, bindingFrom, invalidBinding } from './binding-info.ts';
import type { Payload } from './payload.ts';

/**
 * Binds an installer to a cluster (open-points 11.2, 11.8). Commits the bind, then creates the contracts. If the
 * creation fails for now, a job tries again.
 * @returns the link to the archive of the installer
 * @throws Fault INVALID_BINDING, SUBSCRIPTION_CLOSED, INSTALLER_ALREADY_BOUND; INTERNAL if the contracts cannot be
 *   created and the bind is undone; the errors of {@link settleContracts}
 */
export async function receiveBind(parts: Parts, payload: Payload, context: CallContext): Promise<string> {
  const { database } = parts;
  const { deadline } = context;
  const binding = bindingFrom(payload.bindingInfo, payload.marketplace);
  const installer = await findInstaller(database, binding.installerId, payload.marketplace, { deadline });
  if (installer === undefined) throw wrong('installerId', `is not an installer of ${payload.marketplace}`);
  const { digest, link, subscriptionId } = await database.transact(
    (transaction) => applyBind(transaction, parts, payload, binding, installer), { deadline },
  );
  const contracts = await settleContracts(parts, subscriptionId, context);
  if (contracts === 'closed') throw refusals.closed();
  if (contracts === 'failed') throw internalFault(new Error('cannot create the contracts of a subscription'));
  const isFirst = await noteAnswered(database, digest);
  if (payload.marketplace === 'ProviderC' && !isFirst) throw refusals['already bound']();
  return link;
}

async function applyBind(
  transaction: Queryable, parts: Parts, payload: Payload, binding: Binding, found: InstallerRow,
) {
  const { marketplace, digests } = payload;
  const subscription = await lockOne(transaction, payload, found);
  const installer = await lockInstaller(transaction, found.id);
  const earlier = await findNotification(transaction, digests);
  const boundTo = await findIdOfInstaller(transaction, installer.id);
  const { id, state, contracts } = subscription;
  const decision = decideBind({
    marketplace, state,
    installer: { clusterUid: installer.clusterUid, subscriptionId: boundTo ?? null },
    subscription: { id, hasOtherInstaller: (subscription.installerId ?? installer.id) !== installer.id },
    clusterUid: binding.clusterUid,
    repeat: earlier === undefined ? 'no' : earlier.answered ? 'answered' : 'unanswered',
  });
  if (decision !== 'bind' && decision !== 'rebind') throw refusals[decision]();
  const digest = earlier?.digest ?? digests[0];
  if (decision === 'bind') {
    await bindSubscription(transaction, id, move(state, 'bind')!.to, installer.id);
    await bindInstaller(transaction, installer.id, binding.clusterUid);
    await addJobs(transaction, [settleLater(id)]);
  }
  const values = archiveValues(parts, binding, installer);
  const random = (await findValidArchive(transaction, id))
    ?? (await insertArchive(transaction, parts.sealer, id, values));
  if (earlier === undefined) {
    await insertNotification(transaction, digest, id, false);
    await insertAudit(transaction, id, {
      operation: 'bind', notification: digest, data: payload.data,
      ...(contracts === 'made'
        ? { status: 'success', description: 'The installer was bound.' }
        // The status becomes `success` when the contracts are created (settle-contracts.ts).
        : { status: 'failure', description: 'The installer is bound; the contracts are not created yet.' }),
    });
  }
  const { ownerId, name, publicId } = installer;
  const link = `${baseUrlOf(parts.config)}/links/installer/${ownerId}/${name}/${publicId}-${random}/archive.tar.gz`;
  return { digest, link, subscriptionId: id };
}

/** Locks the subscription to bind. At provider B, adds the subscription if it does not exist (open-points 11.2). */
async function lockOne(
  transaction: Queryable, { marketplace, applicationId = '' }: Payload, installer: InstallerRow,
): Promise<SubscriptionRow> {
  if (marketplace !== 'ProviderB') {
    const subscription = await lockOfInstaller(transaction, installer.id);
    if (subscription === undefined) throw new Error(`the installer ${installer.id} has no subscription`);
    return subscription;
  }
  const known = await lockOfApplication(transaction, applicationId);
  if (known !== undefined) return known;
  await insertOfApplication(transaction, newPublicId(), applicationId);
  return (await lockOfApplication(transaction, applicationId))!;
}

const refusals: Readonly<Record<Exclude<BindDecision, 'bind' | 'rebind'>, () => Fault>> = {
  'already bound': () => new Fault('INSTALLER_ALREADY_BOUND', 'the installer is already bound to a cluster'),
  'closed': () => new Fault('SUBSCRIPTION_CLOSED', 'the subscription has ended'),
  'other cluster': () => wrong('clusterId', 'is not the cluster that the installer is bound to'),
  'other subscription': () => wrong('installerId', 'names an installer that is bound to another subscription'),
  'other installer': () => wrong('installerId', 'is not the installer that the subscription is bound to'),
};

function wrong(field: string, message: string): Fault {
  return invalidBinding([{ path: `bindingInfo.${field}`, message }]);
}

function archiveValues({ config }: Parts, binding: Binding, installer: InstallerRow): ArchiveValues {
  const { clusterUid: clusterId, providerAAccountID, domainWhiteList, options } = binding;
  const { adminUsername = 'admin', adminPassword = newPassword() } = binding;
  return {
    baseUrl: baseUrlOf(config), marketplace: installer.marketplace, installerId: installer.publicId,
    installerName: installer.name, owner: { id: installer.ownerId ?? 0, name: installer.ownerName },
    clusterId, providerAAccountID, adminUsername, adminPassword, domainWhiteList, options,
  };
}
