import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handler } from '@platform/rpc';
import { findPerson } from '../accounts/people.ts';
import { notInTeam } from '../faults.ts';
import { endMembership } from '../members/end-membership.ts';
import type { Parts } from '../parts.ts';

/** DELETE /teams/{teamid}/members/{username} (spec §4.14). */
export function removeTeamMember(parts: Parts): Handler<typeof TeamMemberServiceService.removeTeamMember> {
  return async ({ teamid: teamId, username }, context) => {
    const person = await findPerson(parts.database, username);
    if (person === undefined) throw notInTeam();
    await endMembership(parts, context, { userId: person.id, teamId, absent: notInTeam });
    return {};
  };
}
