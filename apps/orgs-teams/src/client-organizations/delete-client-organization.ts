import type { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import { Fault, type Handler } from '@platform/rpc';
import { shrink } from '@platform/service';
import { conflict } from '@platform/values';
import { deleteOrganization } from '../accounts/organizations.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import { deleteAccount } from '../organizations/delete-account.ts';
import { readDeletionState } from '../organizations/deletion-state.ts';
import { closeOwner, reopenOwner } from '../organizations/owner-services.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import type { WriteContext } from '../write/write.ts';
import { markDeleting } from './store.ts';

/** The service that runs the deletion: what it holds goes in its course. */
const deletingService = 'clusters';

/** Begins a deletion. What other services hold would keep the organization for ever, so it is asked first. */
export function closeClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.closeClientOrganization> {
  return async ({ id }, context: WriteContext) => {
    const mark = (deleting: boolean) => parts.write(context, [lock.structure(id!)], async (work) => {
      const marked = await markDeleting(work, id!, deleting);
      if (!marked) return false;
      const action = deleting ? 'organization.begin_deletion' : 'organization.end_deletion';
      work.audit({ action, object: `organization:${id}`, organizationId: id!, details: {} });
      return true;
    });
    if (!(await mark(true))) return {};
    const call = { ...context, deadline: shrink(context.deadline, 10_000) };
    const holders = (await closeOwner(parts.ownerServices, id!, call))
      .filter(({ name, held }) => name !== deletingService && held > 0);
    if (holders.length === 0) return {};
    await reopenOwner(parts.ownerServices, id!, call);
    await mark(false);
    throw new Fault('ORG_IN_USE', `still in use: ${holders.map(({ name, held }) => `${held} in ${name}`).join(', ')}`);
  };
}

/** Ends a deletion: the account goes with all that is its own, in the three steps of authorization.md W5. */
export function deleteClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationAdminServiceService.deleteClientOrganization> {
  const { database } = parts;
  return async ({ id }, context: WriteContext) => {
    const organization = await readOrganization(database, id!, context.deadline);
    if (organization === undefined || organization.orgType !== organizationTypes.client) return {};
    await deleteAccount(parts, context, {
      accountId: id!,
      locks: async () => {
        const state = await readDeletionState(database, id!, 0);
        return [lock.removal(id!), ...(state === undefined ? [] : [lock.removal(state.systemAdminId)])];
      },
      check: async (work) => {
        const state = await readDeletionState(work, id!, 0);
        if (state === undefined) throw conflict('another call has deleted it');
      },
      remove: async (work) => {
        await deleteOrganization(work, id!);
        work.audit({
          action: 'organization.delete', object: `organization:${id}`, organizationId: id!,
          details: { name: organization.name },
        });
        work.settles(id!);
      },
    });
    return {};
  };
}
