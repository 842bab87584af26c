import { pageOf } from '@platform/lists';
import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toUser, viewerOfMembers } from '../users/convert.ts';
import { listUsers, members } from '../users/reports.ts';

/** GET /teams/{teamid}/members (spec §4.14). */
export function listTeamMembers({ config, database }: Parts): Handler<typeof TeamMemberServiceService.listTeamMembers> {
  return async (request, context) => {
    const { id } = context.account;
    const chosen = members.ofTeam(request.teamid);
    const { items, total, next } = await listUsers(database, chosen, id, pageOf(request, config), context.deadline);
    const viewer = viewerOfMembers(context);
    return { members: items.map((row) => toUser(row, viewer, config)), total, next };
  };
}
