import { notFound } from '@platform/faults';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { refuseTeams } from './assignable.ts';
import { toRole } from './convert.ts';
import { refuseEscalation, relationsOfCaller } from './escalation.ts';
import { readRole } from './reports.ts';
import { requestedRole } from './requested-role.ts';
import { insertAssignments, insertPairs, insertRole } from './store.ts';
import { addedByRole, distinctIds } from './what-is-added.ts';

/** POST /authz/roles (spec §4.1, open-points 2.7). */
export function createRole({ config, guard, write }: Parts): Handler<typeof RoleServiceService.createRole> {
  return async (request, context) => {
    const organizationId = context.account.id;
    const wanted = requestedRole(request.role!, config.teamsPerRole);
    const { name = '', description = '', permissions = [], teamIds: wantedTeams = [] } = wanted;
    const teamIds = distinctIds(wantedTeams);
    const holds = await relationsOfCaller(guard, context);
    return write(context, [lock.structure(organizationId)], async (work) => {
      await refuseTeams(work, organizationId, [], wantedTeams, config);
      refuseEscalation(holds, addedByRole({ permissions: [], teamIds: [] }, { permissions, teamIds }));
      const id = await insertRole(work, organizationId, { name, description });
      if (id === undefined) throw notFound('organization not found');
      await insertPairs(work, organizationId, id, permissions);
      await insertAssignments(work, organizationId, teamIds.map((teamId) => ({ roleId: id, teamId })));
      const details = { name, description, permissions, teamIds };
      work.audit({ action: 'role.create', object: `role:${id}`, organizationId, details });
      work.settles(organizationId);
      return toRole(await readRole(work, organizationId, id, context.deadline));
    });
  };
}
