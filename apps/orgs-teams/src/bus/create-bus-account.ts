import { createAccountKeys, createUser, eventSubject, memberPermissions } from '@platform/bus';
import { Fault, notFound, unavailable } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import type { AdminServiceService, CreateBusAccountRequest } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { deadlineIn, shrink } from '@platform/service';
import { uuidProblem, Violations } from '@platform/values';
import { findOrganization, findSystemAdmin } from '../accounts/targets.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { addressesOfOwners, sendReplacedCredentials } from './replaced-credentials.ts';
import {
  countLiveBusUsers, deleteBusUser, findLiveBusUser, insertBusAccount, insertBusUser, revokeOlderBusUsers,
} from './store.ts';

/** So many fit into an account's JWT with room to spare. */
const mostLive = 2_000;
const tellMs = 10_000;

/**
 * `platform admin bus-account create`: the seed of the user, and that of the key that signs it, exist only here and
 * are forgotten with the answer. A caller whose answer was lost has no credential; its row can be revoked.
 */
export function createBusAccount(parts: Parts): Handler<typeof AdminServiceService.createBusAccount> {
  const { bus, config, database, write } = parts;
  return async (request, context) => {
    const { organization, clusterUid, productName, once, replace } = checked(request);
    if (!bus.configured) throw unavailable('the message bus');
    const organizationId = await findOrganization(database, organization, context.deadline);
    if (organizationId === undefined) throw notFound(`there is no organization ${organization}`);
    const member = { ownerId: organizationId, clusterUid, productName };
    const place = { subject: eventSubject(member, config.busShards), server: (config.natsUrl ?? []).join(',') };
    // Locks out a second account at the same time where only one may exist.
    const locks = [once ? lock.structure(organizationId) : lock.permission(organizationId)];
    const existing = async (work: Queryable) =>
      (once ? findLiveBusUser(work, organizationId, clusterUid, productName) : undefined);
    const begun = await write(context, locks, async (work) => {
      const found = await existing(work);
      if (found !== undefined) return { found };
      const systemAdminId = await findSystemAdmin(work, organizationId);
      if (systemAdminId === undefined) throw systemAdminMissing();
      if ((await countLiveBusUsers(work, organizationId)) >= mostLive) {
        throw new Fault('TOO_MANY_ITEMS', `an organization has at most ${mostLive} bus accounts; revoke some first`);
      }
      const publicKey = await insertBusAccount(work, organizationId, createAccountKeys().publicKey);
      return { account: publicKey, accountId: systemAdminId };
    });
    if (begun.found !== undefined) return { ...begun.found, ...place, creds: '' };
    const { account, accountId } = begun;
    // Signing takes time: not under a lock.
    const signer = createAccountKeys();
    const { publicKey, credentials } = await createUser(signer.seed, {
      name: `${clusterUid}/${productName}`,
      account,
      ...memberPermissions(member),
    });
    const added = await write(context, locks, async (work) => {
      const found = await existing(work);
      if (found !== undefined) return { found };
      const inserted = await insertBusUser(work, {
        organizationId, accountId, publicKey, signingKey: signer.publicKey, clusterId: clusterUid, productName,
      });
      work.audit({
        action: 'bus_account.create',
        object: `bus_account:${inserted}`,
        organizationId,
        details: { clusterUid, productName, busPubKey: publicKey },
      });
      return { id: inserted };
    });
    if (added.found !== undefined) return { ...added.found, ...place, creds: '' };
    const { id } = added;
    if (!(await bus.tell(organizationId, shrink(context.deadline, tellMs)))) {
      await write({ ...context, deadline: deadlineIn(5_000) }, [], async (work) => {
        await deleteBusUser(work, id);
        work.audit({ action: 'bus_account.withdraw', object: `bus_account:${id}`, organizationId });
      });
      throw unavailable('the message bus');
    }
    if (replace) {
      await write(context, [lock.permission(organizationId)], async (work) => {
        const revoked = await revokeOlderBusUsers(work, { organizationId, clusterId: clusterUid, productName, id });
        for (const older of revoked) {
          work.audit({
            action: 'bus_account.revoke', object: `bus_account:${older.id}`, organizationId,
            details: { busPubKey: older.publicKey, replacedBy: id },
          });
        }
        if (revoked.length === 0) return;
        for (const to of await addressesOfOwners(work, organizationId)) {
          work.effect(sendReplacedCredentials({ busAccountId: id, organization, clusterUid, productName, to }));
        }
      });
      // The servers have it soon in any case: a push that fails is repeated.
      await bus.tell(organizationId, shrink(context.deadline, tellMs));
    }
    return { id, busPubKey: publicKey, creds: credentials, ...place };
  };
}

function checked(request: CreateBusAccountRequest) {
  const { organization = '', clusterUid = '', productName = '', once = false, replace = false } = request;
  const violations = new Violations();
  if (once && replace) violations.note('replace', 'does not go with once');
  violations.note('clusterUid', uuidProblem(clusterUid));
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(productName)) {
    violations.note('productName', 'must be 1-63 letters, digits, - and _, the first a letter or digit');
  }
  violations.refuse();
  return { organization, clusterUid: clusterUid.toLowerCase(), productName, once, replace };
}
