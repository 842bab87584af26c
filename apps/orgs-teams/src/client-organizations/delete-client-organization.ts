import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import type { Handler } from '@platform/rpc';
import { shrink } from '@platform/service';
import { conflict } from '@platform/values';
import { readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import { deleteAccount, giveUp, stillInUse } from '../organizations/delete-account.ts';
import { removeOrganization } from '../organizations/delete-organization.ts';
import { locksOfDeletion, readDeletionState } from '../organizations/deletion-state.ts';
import { closeOwner } from '../organizations/owner-services.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import type { WriteContext } from '../write/write.ts';
import { beginDeletion, decideDeletion } from './deletion.ts';

/** The service that runs the deletion. It removes its own objects itself, so they do not block the deletion. */
const deletingService = 'clusters';

/**
 * Begins a deletion of a client organization, and closes the organization in all services. Refuses the deletion if a
 * service other than {@link deletingService} holds objects of the organization.
 */
export function closeClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.closeClientOrganization> {
  return async ({ id: given, deletion = randomUUID() }, context: WriteContext) => {
    const id = given!;
    const begun = await parts.write(context, [lock.structure(id)], async (work) => {
      const known = await beginDeletion(work, id, deletion);
      if (known?.isNew) work.audit(entryOf('organization.begin_deletion', id));
      return known;
    });
    if (begun === undefined || begun.outcome === 'certain') return {};
    if (begun.outcome === 'refused') throw refusedBefore();
    const { mark } = begun;
    const call = { ...context, deadline: shrink(context.deadline, 10_000) };
    const using = (await closeOwner(parts.ownerServices, { ownerId: id, mark }, call))
      .filter(({ name, held }) => held > 0 && name !== deletingService);
    const outcome = await parts.write(context, [lock.structure(id)], async (work) => {
      const decided = await decideDeletion(work, id, deletion, using.length > 0 ? 'refused' : 'certain');
      if (decided === undefined) throw conflict('another deletion of the organization has begun or is complete');
      if (decided.isNew && decided.outcome === 'refused') work.audit(entryOf('organization.end_deletion', id));
      return decided.outcome;
    });
    if (outcome === 'certain') return {};
    await giveUp(parts, context, id, mark);
    throw using.length > 0 ? stillInUse(using) : refusedBefore();
  };
}

function refusedBefore(): Fault {
  return new Fault('ORG_IN_USE', 'the organization was still in use when its deletion began');
}

function entryOf(action: string, id: number) {
  return { action, object: `organization:${id}`, organizationId: id, details: {} };
}

/**
 * Completes a deletion: deletes the account in the three steps of authorization.md W5. Does nothing if there is no
 * client organization with this id.
 */
export function deleteClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.deleteClientOrganization> {
  const { database } = parts;
  return async ({ id }, context: WriteContext) => {
    const organization = await readOrganization(database, id!, context.deadline);
    if (organization === undefined || organization.orgType !== organizationTypes.client) return {};
    await deleteAccount(parts, context, {
      accountId: id!,
      locks: () => locksOfDeletion(database, id!, 0),
      check: async (work) => {
        const state = await readDeletionState(work, id!, 0);
        if (state === undefined) throw conflict('another call has deleted the organization');
      },
      remove: (work) => removeOrganization(work, organization),
    });
    return {};
  };
}
