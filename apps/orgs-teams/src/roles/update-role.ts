import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { changedFields } from '@platform/values';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { refuseTeams } from './assignable.ts';
import { toRole } from './convert.ts';
import { refuseEscalation, relationsOfCaller } from './escalation.ts';
import { readRole } from './reports.ts';
import { requestedRole } from './requested-role.ts';
import { deleteAssignments, deletePairs, insertAssignments, insertPairs, updateRoleRow } from './store.ts';
import { addedByRole, distinctIds, gained, gainedPairs } from './what-is-added.ts';

/**
 * PUT /authz/roles/{id} (spec §4.1, open-points 2.7). Under the locks, computes the added rights from the current
 * rows, because a concurrent request may have changed the role.
 */
export function updateRole({ config, database, guard, write }: Parts): Handler<typeof RoleServiceService.updateRole> {
  return async (request, context) => {
    const organizationId = context.account.id;
    const { id } = request;
    const wanted = requestedRole(request.role!, config.teamsPerRole);
    // Read the role before it is locked, so that no role of another organization is locked.
    await readRole(database, organizationId, id, context.deadline);
    const mayAdd = wanted.permissions !== undefined || wanted.teamIds !== undefined;
    const holds = mayAdd ? await relationsOfCaller(guard, context) : () => false;
    return write(context, [lock.structure(organizationId), lock.role(id)], async (work) => {
      const before = await readRole(work, organizationId, id, context.deadline);
      refuseOtherRevision(request.ifMatch, toRole(before));
      const { name = before.name, description = before.description, permissions = before.permissions } = wanted;
      const teamIds = wanted.teamIds === undefined ? before.teamIds : distinctIds(wanted.teamIds);
      const after = { name, description, permissions, teamIds };
      await refuseTeams(work, organizationId, before.teamIds, wanted.teamIds ?? [], config);
      refuseEscalation(holds, addedByRole(before, after));
      // Compare roles as the API shows them, because there the permissions are sorted.
      const changed = changedFields(toRole(before), toRole({ ...before, ...after }));
      if (changed === undefined) return toRole(before);
      const on = (teamId: number) => ({ roleId: id, teamId });
      await updateRoleRow(work, id, after);
      await deletePairs(work, id, gainedPairs(permissions, before.permissions));
      await insertPairs(work, organizationId, id, gainedPairs(before.permissions, permissions));
      await deleteAssignments(work, gained(teamIds, before.teamIds).map(on));
      await insertAssignments(work, organizationId, gained(before.teamIds, teamIds).map(on));
      work.audit({ action: 'role.update', object: `role:${id}`, organizationId, details: changed });
      work.settles(organizationId);
      return toRole(await readRole(work, organizationId, id, context.deadline));
    });
  };
}
