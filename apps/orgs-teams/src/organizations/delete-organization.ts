import { Fault, notFound } from '@platform/faults';
import { sql } from '@platform/postgres';
import type { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { toOrganization } from '../accounts/convert.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import type { Parts } from '../parts.ts';
import type { Work } from '../write/write.ts';
import { deleteAccount } from './delete-account.ts';
import { type DeletionState, locksOfDeletion, readDeletionState } from './deletion-state.ts';

/**
 * DELETE /orgs/{orgname} (spec §4.13, open-points 3.1, authorization.md W5). The deletion is refused, for example, if
 * another service holds objects of the organization.
 */
export function deleteOrganization(parts: Parts): Handler<typeof OrganizationServiceService.deleteOrganization> {
  const { config, database } = parts;
  return async ({ ifMatch }, context) => {
    const { id } = context.account;
    await deleteAccount(parts, context, {
      accountId: id,
      locks: () => locksOfDeletion(database, id, context.caller.id),
      check: async (work) => {
        const state = await readDeletionState(work, id, context.caller.id);
        if (state === undefined) throw notFound('organization not found');
        if (ifMatch !== undefined) {
          const organization = (await readOrganization(work, id, context.deadline))!;
          refuseOtherRevision(ifMatch, toOrganization(organization, config.baseUrl));
        }
        refuseDeletion(state);
      },
      remove: (work) => removeOrganization(work, context.account),
    });
    return {};
  };
}

/** Deletes an organization. Foreign keys also delete its teams, roles, tokens and system admin. */
export async function removeOrganization(
  work: Work, { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  await work.execute(sql`delete from account where id = ${id} and kind = 'organization'`);
  work.audit({ action: 'organization.delete', object: `organization:${id}`, organizationId: id, details: { name } });
  work.settles(id);
}

function refuseDeletion({ orgType, hasOtherOwners }: DeletionState): void {
  if (orgType === organizationTypes.administrative) {
    throw new Fault('FORBIDDEN', 'the administrative organization cannot be deleted');
  }
  if (orgType === organizationTypes.client) {
    throw new Fault('CLIENT_ORG', 'this is a client organization: use the operations for client organizations');
  }
  if (hasOtherOwners) {
    throw new Fault('NOT_LAST_OWNER', 'only a sole owner can delete an organization: remove the other owners first');
  }
}
