import { notFound } from '@platform/faults';
import type { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import type { Handler } from '@platform/rpc';
import { refuseTooMany } from '@platform/values';
import { readAdministration } from '../accounts/administration.ts';
import { findPeople, findTeams, insertMissingMembers } from '../accounts/batches.ts';
import { ownersTeamImmutable } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';

/** Adds users to teams of an organization (open-points 3.3). */
export function putMemberships({ database, write }: Parts): Handler<typeof BulkServiceService.putMemberships> {
  return async ({ organizationId = 0, memberships }, context) => {
    refuseTooMany('memberships', memberships);
    const placements = memberships.map(({ teamId = 0, userId = 0 }) => ({ teamId, userId }));
    const teamIds = [...new Set(placements.map(({ teamId }) => teamId))];
    const userIds = [...new Set(placements.map(({ userId }) => userId))];
    const { ownersTeamId } = await readAdministration(database);
    if (teamIds.includes(ownersTeamId)) {
      throw ownersTeamImmutable(
        'the team Owners of the administrative organization has only site admins: make the users site admins instead',
      );
    }
    const locks = [lock.permission(organizationId), ...userIds.map(lock.account), ...teamIds.map(lock.team)];
    return write(context, locks, async (work) => {
      const teams = new Set(await findTeams(work, organizationId, teamIds));
      const people = new Set(await findPeople(work, userIds));
      const missing = [
        ...teamIds.filter((id) => !teams.has(id)).map((id) => `team ${id}`),
        ...userIds.filter((id) => !people.has(id)).map((id) => `user ${id}`),
      ];
      if (missing.length > 0) throw notFound(`teams or active users not found: ${missing.join(', ')}`);
      const added = await insertMissingMembers(work, organizationId, placements);
      work.audit(...added.map(({ teamId, userId }) => ({
        action: 'team.add_member', object: `team:${teamId}`, organizationId, subjectIds: [userId], details: { userId },
      })));
      return { added: added.length };
    });
  };
}
