import { notFound } from '@platform/faults';
import { pageOf } from '@platform/lists';
import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { findPerson } from '../accounts/people.ts';
import { findTargetByName } from '../accounts/targets.ts';
import { notInTeam, targetIsOrganization } from '../faults.ts';
import { beginMembership } from '../members/begin-membership.ts';
import { endMembership } from '../members/end-membership.ts';
import type { Parts } from '../parts.ts';
import { toUser } from '../users/convert.ts';
import { findTeamMember, readUsers, members } from '../users/reports.ts';

/** GET /teams/{teamid}/members (spec §4.14). */
export function listTeamMembers({ config, database }: Parts): Handler<typeof TeamMemberServiceService.listTeamMembers> {
  return async (request, { account, caller, deadline }) => {
    const chosen = members.ofTeam(request.teamid);
    const { items, total, next } = await readUsers(database, chosen, account.id, pageOf(request, config), deadline);
    return { members: items.map((row) => toUser(row, caller, config)), total, next };
  };
}

/** GET /teams/{teamid}/members/{username} (spec §4.14): the same fields as in the list of members. */
export function getTeamMember({ config, database }: Parts): Handler<typeof TeamMemberServiceService.getTeamMember> {
  return async ({ teamid: teamId, username }, context) => {
    const key = slugKey(username);
    const place = { organizationId: context.account.id, teamId };
    const row = key === undefined ? undefined : await findTeamMember(database, { ...place, key }, context.deadline);
    if (row === undefined) throw notInTeam();
    return toUser(row, context.caller, config);
  };
}

/** PUT /teams/{teamid}/members/{username} (spec §4.14, open-points 3.5). A repeated request changes nothing. */
export function addTeamMember(parts: Parts): Handler<typeof TeamMemberServiceService.addTeamMember> {
  return async ({ teamid: teamId, username, autoConnectClusters: connectClusters = false }, context) => {
    const target = await findTargetByName(parts.database, username, context.caller);
    if (target === undefined) throw notFound('there is no such user');
    if (target.kind === 'organization') throw targetIsOrganization();
    await beginMembership(parts, context, { teamId, target, connectClusters });
    return {};
  };
}

/** DELETE /teams/{teamid}/members/{username} (spec §4.14). */
export function removeTeamMember(parts: Parts): Handler<typeof TeamMemberServiceService.removeTeamMember> {
  return async ({ teamid: teamId, username }, context) => {
    const person = await findPerson(parts.database, username);
    if (person === undefined) throw notInTeam();
    await endMembership(parts, context, { userId: person.id, teamId, absent: notInTeam });
    return {};
  };
}
