import { notFound } from '@platform/faults';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { changedFields } from '@platform/values';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import type { Work } from '../write/write.ts';
import { refuseTeams } from './assignable.ts';
import { toRole } from './convert.ts';
import { refuseEscalation, relationsOfCaller } from './escalation.ts';
import { readRole, type RoleRow } from './reports.ts';
import { requestedRole } from './requested-role.ts';
import { deleteAssignments, deletePairs, insertAssignments, insertPairs, updateRoleRow } from './store.ts';
import { addedByRole, distinctIds, gained, gainedPairs } from './what-is-added.ts';

/** The fields of a role that can change. */
type RoleFields = Pick<RoleRow, 'name' | 'description' | 'permissions' | 'teamIds'>;

/**
 * PUT /authz/roles/{id} (spec §4.1, open-points 2.7). The added rights are computed under the locks from the current
 * rows, so that two concurrent changes together cannot grant a right that neither caller may grant.
 */
export function updateRole({ config, database, guard, write }: Parts): Handler<typeof RoleServiceService.updateRole> {
  return async (request, context) => {
    const organizationId = context.account.id;
    const { id } = request;
    const wanted = requestedRole(request.role!, config.teamsPerRole);
    // Read first, so that no row of another organization is locked.
    const seen = await readRole(database, organizationId, id, context.deadline);
    if (seen === undefined) throw notFound('role not found');
    const mayAdd = wanted.permissions !== undefined || wanted.teamIds !== undefined;
    const holds = mayAdd ? await relationsOfCaller(guard, context) : () => false;
    return write(context, [lock.structure(organizationId), lock.role(id)], async (work) => {
      const before = await readRole(work, organizationId, id, context.deadline);
      if (before === undefined) throw notFound('role not found');
      refuseOtherRevision(request.ifMatch, toRole(before));
      const after: RoleFields = {
        name: wanted.name ?? before.name,
        description: wanted.description ?? before.description,
        permissions: wanted.permissions ?? before.permissions,
        teamIds: wanted.teamIds === undefined ? before.teamIds : distinctIds(wanted.teamIds),
      };
      await refuseTeams(work, organizationId, before.teamIds, wanted.teamIds ?? [], config);
      refuseEscalation(holds, addedByRole(before, after));
      const changed = changedFields(toFields(before), toFields({ ...before, ...after }));
      if (changed === undefined) return toRole(before);
      await store(work, before, after);
      work.audit({ action: 'role.update', object: `role:${id}`, organizationId, details: changed });
      work.settles(organizationId);
      return toRole((await readRole(work, organizationId, id, context.deadline))!);
    });
  };
}

/** The fields in the order of answers, so that equal roles compare as equal. */
function toFields(row: RoleRow) {
  const { name, description, permissions, teamIds } = toRole(row);
  return { name, description, permissions, teamIds };
}

async function store(work: Work, before: RoleRow, after: RoleFields): Promise<void> {
  const { id, organizationId } = before;
  const on = (teamId: number) => ({ roleId: id, teamId });
  await updateRoleRow(work, id, after);
  await deletePairs(work, id, gainedPairs(after.permissions, before.permissions));
  await insertPairs(work, organizationId, id, gainedPairs(before.permissions, after.permissions));
  await deleteAssignments(work, gained(after.teamIds, before.teamIds).map(on));
  await insertAssignments(work, organizationId, gained(before.teamIds, after.teamIds).map(on));
}
