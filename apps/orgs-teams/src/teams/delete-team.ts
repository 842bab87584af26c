import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { ownersTeamImmutable } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { toPlacedTeam } from './convert.ts';
import { readTeam } from './reports.ts';
import { deleteTeamRow } from './store.ts';

/** DELETE /teams/{teamid} (spec §4.14): members without another team leave the organization (open-points 3.3). */
export function deleteTeam({ config, write }: Parts): Handler<typeof TeamServiceService.deleteTeam> {
  return async ({ teamid: id, ifMatch }, context) => {
    const organizationId = context.account.id;
    return write(context, [lock.structure(organizationId), lock.teamRemoval(id)], async (work) => {
      const row = await readTeam(work, organizationId, id, context.deadline);
      refuseOtherRevision(ifMatch, toPlacedTeam(row, config.baseUrl));
      if (row.isOwners) throw ownersTeamImmutable('the team Owners cannot be deleted: delete the organization instead');
      const memberIds = await deleteTeamRow(work, id);
      const { name, permission, roleIds } = row;
      const details = { name, permission, roleIds, memberIds };
      work.audit({ action: 'team.delete', object: `team:${id}`, organizationId, subjectIds: memberIds, details });
      work.settles(organizationId);
      return {};
    });
  };
}
