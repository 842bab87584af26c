import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { notInTeam } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toUser, viewerOfMembers } from '../users/convert.ts';
import { findTeamMember } from '../users/reports.ts';

/** GET /teams/{teamid}/members/{username} (spec §4.14): as in the list of the team. */
export function getTeamMember({ config, database }: Parts): Handler<typeof TeamMemberServiceService.getTeamMember> {
  return async ({ teamid: teamId, username }, context) => {
    const key = slugKey(username);
    const place = { organizationId: context.account.id, teamId };
    const row = key === undefined ? undefined : await findTeamMember(database, { ...place, key }, context.deadline);
    if (row === undefined) throw notInTeam();
    return toUser(row, viewerOfMembers(context), config);
  };
}
