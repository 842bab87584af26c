import { Fault, notFound } from '@platform/faults';
import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { invalidName } from '@platform/values';
import type { Parts } from '../parts.ts';
import { assignableRoles } from '../roles/assignable.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { insertAssignments } from '../roles/store.ts';
import { teamNameProblem } from '../roles/structure-names.ts';
import { addedByTeam, distinctIds } from '../roles/what-is-added.ts';
import { lock } from '../write/locks.ts';
import { toPlacedTeam } from './convert.ts';
import { readTeam } from './reports.ts';
import { newTeam } from './requested-team.ts';
import { insertTeam } from './store.ts';

/** POST /orgs/{orgname}/teams (spec §4.14, open-points 3.5). */
export function createTeam({ config, guard, write }: Parts): Handler<typeof TeamServiceService.createTeam> {
  return async (request, context) => {
    const organizationId = context.account.id;
    const { name, description = '', permission, roleIds: wantedRoles = [] } = newTeam(request, config.rolesPerTeam);
    const problem = teamNameProblem(name, false);
    if (problem !== undefined) throw invalidName(problem);
    const roleIds = distinctIds(wantedRoles);
    const holds = await relationsOfCaller(guard, context);
    return write(context, [lock.structure(organizationId)], async (work) => {
      const roles = await assignableRoles(work, organizationId, [], wantedRoles, config);
      const pairsOf = (roleId: number) => roles.get(roleId)!.permissions;
      refuseEscalation(holds, addedByTeam({ permission: undefined, roleIds: [] }, { permission, roleIds }, pairsOf));
      const most = config.teamsPerOrganization;
      // The lock of the organization keeps other teams from being created at the same time.
      const id = await insertTeam(work, organizationId, { name, description, permission }, most);
      if (id === undefined) {
        const organization = await work.maybeOne(sql`select from organization where id = ${organizationId}`);
        if (organization === undefined) throw notFound('organization not found');
        throw new Fault('TOO_MANY_ITEMS', `an organization can have at most ${most} teams`);
      }
      await insertAssignments(work, organizationId, roleIds.map((roleId) => ({ roleId, teamId: id })));
      const details = { name, description, permission, roleIds };
      work.audit({ action: 'team.create', object: `team:${id}`, organizationId, details });
      work.settles(organizationId);
      return toPlacedTeam(await readTeam(work, organizationId, id, context.deadline), config.baseUrl);
    });
  };
}
