import { createAccountKeys, createUser, memberPermissions } from '@platform/bus';
import { Fault, unavailable } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import { deadlineIn, shrink } from '@platform/service';
import { uuidProblem, type Violations } from '@platform/values';
import { repeatedRequest } from '@platform/writes';
import { findSystemAdmin } from '../accounts/targets.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import type { Work, WriteContext } from '../write/write.ts';
import { addressesOfOwners, sendReplacedCredentials } from './replaced-credentials.ts';
import {
  countLiveBusUsers, deleteBusUser, findLiveBusUser, insertBusAccount, insertBusUser, revokeBusUserOfRequest,
  revokeOlderBusUsers,
} from './store.ts';

/** Maximum number of unrevoked users of an account. The signing keys of these users must fit into the account's JWT. */
const mostLive = 2_000;
const tellMs = 10_000;

/** The user to add to an organization's account at the bus. */
interface WantedBusUser {
  readonly clusterUid: string;
  readonly productName: string;
  /** Whether to add the user only if the product in the cluster has no unrevoked user yet. */
  readonly once?: boolean;
  /** Whether to revoke the older users of the product in the cluster. */
  readonly replace?: boolean;
}

/**
 * Validates the cluster and the product.
 * @param path path of the request field with the cluster
 * @throws Fault VALIDATION_FAILED
 */
export function refuseBadBusUser(
  violations: Violations, { clusterUid, productName }: WantedBusUser, path: string,
): void {
  violations.note(path, uuidProblem(clusterUid));
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(productName)) {
    violations.note('productName', 'must have 1 to 63 letters, digits, - or _, and must begin with a letter or digit');
  }
  violations.refuse();
}

/**
 * Adds a user to an organization's account at the bus. Signs the user with a new key, whose seed is not stored. The
 * credentials contain the seed of the user. This service stores the credentials only encrypted, in the answer that it
 * keeps for repeated requests.
 * @returns the user with its credentials, which are empty if `once` found an existing user
 * @throws Fault SYSTEM_ADMIN_MISSING, TOO_MANY_ITEMS, UNAVAILABLE
 */
export async function addBusUser(
  { bus, write }: Parts,
  context: WriteContext,
  { id: organizationId, name }: { readonly id: number; readonly name: string },
  { once = false, replace = false, clusterUid: givenUid, productName }: WantedBusUser,
): Promise<{ readonly id: number; readonly busPubKey: string; readonly creds: string }> {
  const clusterUid = givenUid.toLowerCase();
  if (!bus.configured) throw unavailable('the message bus');
  // The exclusive lock keeps concurrent calls from exceeding the limit, and from adding two users with `once`.
  const locks = [lock.structure(organizationId)];
  const live = (work: Queryable) => findLiveBusUser(work, organizationId, clusterUid, productName);
  const existing = async (work: Queryable) => (once ? live(work) : undefined);
  const refuseTooMany = async (work: Queryable) => {
    const replaced = replace && await live(work) !== undefined ? 1 : 0;
    if ((await countLiveBusUsers(work, organizationId)) - replaced >= mostLive) {
      throw new Fault('TOO_MANY_ITEMS', `an organization has at most ${mostLive} bus accounts; revoke some first`);
    }
  };
  const begun = await write(context, locks, async (work) => {
    const found = await existing(work);
    if (found !== undefined) return { found };
    const systemAdminId = await findSystemAdmin(work, organizationId);
    if (systemAdminId === undefined) throw systemAdminMissing();
    await refuseTooMany(work);
    const publicKey = await insertBusAccount(work, organizationId, createAccountKeys().publicKey);
    return { account: publicKey, accountId: systemAdminId };
  });
  if (begun.found !== undefined) return { ...begun.found, creds: '' };
  const { account, accountId } = begun;
  // Sign the credentials between the two transactions, so that no transaction waits for the signing.
  const signer = createAccountKeys();
  const { publicKey, credentials } = await createUser(signer.seed, {
    name: `${clusterUid}/${productName}`, account,
    ...memberPermissions({ ownerId: organizationId, clusterUid, productName }),
  });
  const added = await write(context, locks, async (work) => {
    const found = await existing(work);
    if (found !== undefined) return { found };
    const request = repeatedRequest(context);
    const before = request === undefined ? [] : await revokeBusUserOfRequest(work, request);
    await refuseTooMany(work);
    const inserted = await insertBusUser(work, {
      organizationId, accountId, publicKey, signingKey: signer.publicKey, clusterId: clusterUid, productName, request,
    });
    auditRevoked(work, organizationId, before, inserted);
    work.audit({
      action: 'bus_account.create', object: `bus_account:${inserted}`, organizationId,
      details: { clusterUid, productName, busPubKey: publicKey },
    });
    return { id: inserted };
  });
  if (added.found !== undefined) return { ...added.found, creds: '' };
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
      auditRevoked(work, organizationId, revoked, id);
      if (revoked.length === 0) return;
      for (const to of await addressesOfOwners(work, organizationId)) {
        work.effect(sendReplacedCredentials({ busAccountId: id, organization: name, clusterUid, productName, to }));
      }
    });
    // A failed push needs no handling, because the loop of {@link BusAccounts} pushes the account again.
    await bus.tell(organizationId, shrink(context.deadline, tellMs));
  }
  return { id, busPubKey: publicKey, creds: credentials };
}

function auditRevoked(
  work: Work, organizationId: number, users: readonly { id: number; publicKey: string }[], replacedBy: number,
): void {
  work.audit(...users.map(({ id, publicKey: busPubKey }) => ({
    action: 'bus_account.revoke', object: `bus_account:${id}`, organizationId, details: { busPubKey, replacedBy },
  })));
}
