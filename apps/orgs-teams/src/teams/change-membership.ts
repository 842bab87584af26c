import { Fault, notFound } from '@platform/faults';
import type { ChangeMembershipRequest, TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import type { Handler, OrganizationContext } from '@platform/rpc';
import { findTargetById, type Target } from '../accounts/targets.ts';
import { notInTeam, targetIsOrganization } from '../faults.ts';
import { beginMembership } from '../members/begin-membership.ts';
import { endMembership } from '../members/end-membership.ts';
import { refuseOthers } from '../members/own-membership.ts';
import type { Parts } from '../parts.ts';
import { readTeamGrants } from '../roles/team-grants.ts';

/** POST /orgs/{orgname}/teams/{teamid}/action/{action} (spec §4.14, open-points 1.10, 3.3 and 3.5). */
export function changeMembership(parts: Parts): Handler<typeof TeamMemberServiceService.changeMembership> {
  return async (request, context) => {
    const { action, teamid: teamId, uid: userId = 0 } = request;
    const isOwn = action === 'join' || action === 'leave';
    if (isOwn) refuseOthers(context, ({ id }) => id === userId);
    const target = await findTarget(parts, context, request);
    if (action === 'join' || action === 'add') {
      if (action === 'add') refuseOtherName(request, target);
      if (!(await beginMembership(parts, context, { teamId, target }))) {
        throw new Fault('ALREADY_MEMBER', 'this user is in the team already');
      }
    } else {
      await endMembership(parts, context, { userId, teamId, absent: notInTeam });
    }
    return {};
  };
}

/**
 * Returns the user whose membership the request changes.
 * @throws Fault if the organization does not have the team (open-points 1.5), or if `uid` is not the id of a user
 */
async function findTarget(
  { database }: Parts, context: OrganizationContext, request: ChangeMembershipRequest,
): Promise<Target> {
  const { action, teamid: teamId, uid: userId = 0 } = request;
  const team = await readTeamGrants(database, context.account.id, teamId);
  if (team === undefined) throw notFound('team not found');
  const target = await findTargetById(database, userId, context.caller);
  // For an unknown id, a removal gets the same answer as for a user who is not in the team.
  if (target === undefined) throw action === 'remove' ? notInTeam() : notFound('there is no such user');
  if (target.kind === 'organization') throw targetIsOrganization();
  return target;
}

function refuseOtherName({ uname }: ChangeMembershipRequest, target: Target): void {
  if (uname === undefined || uname.toLowerCase() === target.name.toLowerCase()) return;
  throw new Fault('INVALID_VALUE', 'uname is not the login of the user whose id is uid', {
    violations: [{ path: 'uname', message: 'must be the login of the user whose id is uid' }],
  });
}
