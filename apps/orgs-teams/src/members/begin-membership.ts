import { notFound } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import { AdmissionChanged, type OrganizationContext } from '@platform/rpc';
import { insertMember, isTeamMember, type Membership } from '../accounts/members.ts';
import { findTargetById, type Target } from '../accounts/targets.ts';
import { targetInactive } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { readTeamGrants } from '../roles/team-grants.ts';
import { lock } from '../write/locks.ts';

/**
 * Adds a user to a team of the acting organization. To add a user, the caller must hold all rights that the team grants
 * (open-points 2.7). With `connectClusters`, also requests cluster-admin bindings if the team is Owners.
 * @returns false if the user was already in the team
 * @throws Fault NOT_FOUND for the team or the user, INVALID_VALUE when the user is inactive, PRIVILEGE_ESCALATION
 */
export async function beginMembership(
  { database, guard, write }: Pick<Parts, 'database' | 'guard' | 'write'>,
  context: OrganizationContext,
  { teamId, target, connectClusters = false }: { teamId: number; target: Target; connectClusters?: boolean },
): Promise<boolean> {
  const organizationId = context.account.id;
  const userId = target.id;
  const known = await readTeamGrants(database, organizationId, teamId);
  if (known === undefined) throw noTeam();
  const isInAlready = await isTeamMember(database, { teamId, userId });
  // Read the caller's relations before the transaction, because the read may call the engine. The write checks the
  // relations again under locks.
  const holds = isInAlready ? undefined : await relationsOfCaller(guard, context);
  const locks = [
    lock.permission(organizationId), lock.account(userId), known.isOwners ? lock.team(teamId) : lock.teamStays(teamId),
  ];
  return write(context, locks, async (work) => {
    const team = await readTeamGrants(work, organizationId, teamId);
    if (team === undefined) throw noTeam();
    const person = await findTargetById(work, userId, context.caller);
    if (person === undefined) throw notFound('there is no such user');
    const membership = { organizationId, teamId, userId };
    const isIn = await isTeamMember(work, membership);
    const concerns = { object: `team:${teamId}`, organizationId, subjectIds: [userId], details: { userId } };
    if (!isIn) {
      if (!person.active) throw targetInactive();
      // If the user has left the team since the first check, run again: the caller's relations were not read.
      if (holds === undefined) throw new AdmissionChanged();
      refuseEscalation(holds, team.granted);
      await insertMember(work, membership);
      work.audit({ action: 'team.add_member', ...concerns });
    }
    if (connectClusters && team.isOwners && (await requestClusterConnection(work, membership))) {
      work.audit({ action: 'team.connect_clusters', ...concerns });
    }
    return !isIn;
  });
}

function noTeam() {
  return notFound('team not found');
}

/**
 * Requests a cluster-admin binding for the user on each cluster of the organization (open-points 3.5). The request is
 * deleted together with the membership.
 * @returns whether the request is new
 */
async function requestClusterConnection(
  queryable: Queryable, { organizationId, teamId, userId }: Membership,
): Promise<boolean> {
  const added = await queryable.execute(sql`
    insert into cluster_connection (team_id, user_id, organization_id) values (${teamId}, ${userId}, ${organizationId})
    on conflict do nothing`);
  return added > 0;
}
