import type { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import { type Handler, notFound } from '@platform/rpc';
import { findTargetByName } from '../accounts/targets.ts';
import { targetIsOrganization } from '../faults.ts';
import { beginMembership } from '../members/begin-membership.ts';
import type { Parts } from '../parts.ts';

/** PUT /teams/{teamid}/members/{username} (spec §4.14, open-points 3.5): repeatable. */
export function addTeamMember(parts: Parts): Handler<typeof TeamMemberServiceService.addTeamMember> {
  return async ({ teamid: teamId, username, autoConnectClusters: connectClusters = false }, context) => {
    const target = await findTargetByName(parts.database, username, context.caller);
    if (target === undefined) throw notFound('there is no such user');
    if (target.kind === 'organization') throw targetIsOrganization();
    await beginMembership(parts, context, { teamId, target, connectClusters });
    return {};
  };
}
