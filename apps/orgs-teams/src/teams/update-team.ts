import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { changedFields, invalidName } from '@platform/values';
import { ownersTeamImmutable } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { assignableRoles } from '../roles/assignable.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { deleteAssignments, insertAssignments } from '../roles/store.ts';
import { teamNameProblem } from '../roles/structure-names.ts';
import { addedByTeam, distinctIds, gained } from '../roles/what-is-added.ts';
import { lock } from '../write/locks.ts';
import { toPlacedTeam } from './convert.ts';
import { readTeam, type TeamRow } from './reports.ts';
import { changedTeam } from './requested-team.ts';
import { updateTeamRow } from './store.ts';

type TeamFields = Pick<TeamRow, 'name' | 'description' | 'permission' | 'roleIds'>;

/**
 * PATCH /teams/{teamid} (spec §4.14, open-points 3.5). Reads the team under the locks before it computes the added
 * rights. An earlier read could miss a concurrent change.
 */
export function updateTeam({ config, guard, write }: Parts): Handler<typeof TeamServiceService.updateTeam> {
  return async (request, context) => {
    const organizationId = context.account.id;
    const { teamid: id } = request;
    const wanted = changedTeam(request, config.rolesPerTeam);
    const mayAdd = wanted.permission !== undefined || wanted.roleIds !== undefined;
    const holds = mayAdd ? await relationsOfCaller(guard, context) : () => false;
    return write(context, [lock.structure(organizationId), lock.team(id)], async (work) => {
      const before = await readTeam(work, organizationId, id, context.deadline);
      refuseOtherRevision(request.ifMatch, toPlacedTeam(before, config.baseUrl));
      const problem = teamNameProblem(wanted.name, before.isOwners);
      if (problem !== undefined) throw invalidName(problem);
      const { name, description = before.description, permission = before.permission } = wanted;
      const roleIds = wanted.roleIds === undefined ? before.roleIds : distinctIds(wanted.roleIds);
      const after: TeamFields = { name, description, permission, roleIds };
      const changed = changedFields<TeamFields>(before, after);
      if (before.isOwners && changed !== undefined) {
        throw ownersTeamImmutable('the team Owners keeps its name, description and permission, and has no roles');
      }
      const roles = await assignableRoles(work, organizationId, before.roleIds, wanted.roleIds ?? [], config);
      refuseEscalation(holds, addedByTeam(before, after, (roleId) => roles.get(roleId)!.permissions));
      if (changed === undefined) return toPlacedTeam(before, config.baseUrl);
      const on = (roleId: number) => ({ roleId, teamId: id });
      await updateTeamRow(work, id, after);
      await deleteAssignments(work, gained(roleIds, before.roleIds).map(on));
      await insertAssignments(work, organizationId, gained(before.roleIds, roleIds).map(on));
      work.audit({ action: 'team.update', object: `team:${id}`, organizationId, details: changed });
      work.settles(organizationId);
      return toPlacedTeam(await readTeam(work, organizationId, id, context.deadline), config.baseUrl);
    });
  };
}
