import type { Fault } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import { AdmissionChanged, type OrganizationContext } from '@platform/rpc';
import { deleteMembers } from '../accounts/members.ts';
import { siteAdminProtected } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { readTeamsOfUser } from './memberships.ts';

/**
 * Removes a user from a team. Without `teamId`, removes the user from all teams of the acting organization. Refuses to
 * remove a site admin from the administrative team Owners (open-points 1.10). Refuses to remove the last member of a
 * team Owners (open-points 3.3).
 * @throws Fault SITE_ADMIN_PROTECTED, LAST_OWNER, or the fault that `absent` returns for a user who is not a member
 */
export async function endMembership(
  { database, write }: Pick<Parts, 'database' | 'write'>,
  context: OrganizationContext,
  { userId, teamId, absent }: { readonly userId: number; readonly teamId?: number; readonly absent: () => Fault },
): Promise<void> {
  const organizationId = context.account.id;
  const read = async (queryable: Queryable) => {
    const teams = await readTeamsOfUser(queryable, organizationId, userId, teamId);
    if (teams.length === 0) throw absent();
    if (teams.some(({ isProtected }) => isProtected)) throw siteAdminProtected();
    return teams;
  };
  const chosen = await read(database);
  const locked = new Set(chosen.map((team) => team.teamId));
  const locks = [
    lock.permission(organizationId), lock.account(userId),
    ...chosen.map((team) => (team.isOwners ? lock.team(team.teamId) : lock.teamStays(team.teamId))),
  ];
  await write(context, locks, async (work) => {
    const teams = await read(work);
    // If the user has joined another team since the locks were chosen, run the write again with new locks.
    if (!teams.every((team) => locked.has(team.teamId))) throw new AdmissionChanged();
    const teamIds = teams.map((team) => team.teamId);
    await deleteMembers(work, teamIds, userId);
    for (const id of teamIds) {
      work.audit({
        action: 'team.remove_member', object: `team:${id}`, organizationId, subjectIds: [userId], details: { userId },
      });
    }
  });
}
