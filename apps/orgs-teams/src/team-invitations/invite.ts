import { Fault, notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { TeamInvitation, TeamInvitationServiceService } from '@platform/proto/orgs/v1/team_invitation';
import type { Handler, OrganizationContext } from '@platform/rpc';
import { emailProblem, Violations } from '@platform/values';
import { personCalling } from '../users/own-account.ts';
import type { Parts } from '../parts.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { readTeamGrants } from '../roles/team-grants.ts';
import { laterClock } from '../standing/clock.ts';
import { lock } from '../write/locks.ts';
import { sendTeamInvitation } from './send.ts';
import { openInvitations, putInvitation, type Reach } from './store.ts';

const mostOpen = 1_000;

/** POST /orgs/{orgname}/invitations (open-points 18.1): inviters can grant only rights that they hold (2.7). */
export function createTeamInvitation(
  { guard, write }: Parts,
): Handler<typeof TeamInvitationServiceService.createTeamInvitation> {
  return async ({ email = '', teamId = 0 }, context) => {
    const { id: inviterId } = personCalling(context.caller);
    const violations = new Violations();
    violations.note('email', emailProblem(email));
    violations.refuse();
    context.object();
    const organizationId = context.account.id;
    // Read the caller's relations before the transaction, because the engine may be asked. The write checks the
    // relations again under locks.
    const holds = await relationsOfCaller(guard, context);
    return write(context, [lock.permission(organizationId), lock.teamStays(teamId)], async (work) => {
      const team = await readTeamGrants(work, organizationId, teamId);
      if (team === undefined) throw notFound('team not found');
      refuseEscalation(holds, team.granted);
      const { open } = await work.one(sql<{ open: number }>`
        select count(*) as open from team_invitation
         where organization_id = ${organizationId} and expires_at > ${laterClock()}
           and (team_id, lower(email collate "C")) <> (${teamId}, lower(${email} collate "C"))`);
      if (open >= mostOpen) {
        throw new Fault('INVALID_VALUE', `an organization can have at most ${mostOpen} open invitations`);
      }
      const { invitation, madeAt } = await putInvitation(work, { organizationId, teamId, inviterId, email });
      work.effect(sendTeamInvitation({ invitationId: invitation.id, madeAt }));
      const details = { invitationId: invitation.id, email };
      work.audit({ action: 'team.invite', object: `team:${teamId}`, organizationId, details });
      return invitation;
    });
  };
}

/** GET /orgs/{orgname}/invitations (open-points 18.1). */
export function listTeamInvitations(
  { config, database, guard }: Parts,
): Handler<typeof TeamInvitationServiceService.listTeamInvitations> {
  return async (request, context) => {
    const { rows, count } = openInvitations(context.account.id, await reachOf(guard, context));
    const { items, total, next } = (await readPage<TeamInvitation>(
      database, { rows, order: byId, count }, pageOf(request, config), context.deadline,
    ))!;
    return { invitations: [...items], total, next };
  };
}

/** DELETE /orgs/{orgname}/invitations/{id} (open-points 18.1). */
export function deleteTeamInvitation(
  { guard, write }: Parts,
): Handler<typeof TeamInvitationServiceService.deleteTeamInvitation> {
  return async ({ id }, context) => {
    const organizationId = context.account.id;
    const { teams, owners } = await reachOf(guard, context);
    await write(context, [lock.permission(organizationId)], async (work) => {
      const withdrawn = await work.maybeOne(sql<{ teamId: number }>`
        delete from team_invitation invitation using team
         where invitation.id = ${id} and invitation.organization_id = ${organizationId}
           and team.id = invitation.team_id
           and case when team.is_owners then ${owners}::boolean else ${teams}::boolean end
        returning invitation.team_id as "teamId"`);
      if (withdrawn === undefined) throw notFound('invitation not found');
      const details = { invitationId: id };
      work.audit({ action: 'team.withdraw_invitation', object: `team:${withdrawn.teamId}`, organizationId, details });
    });
    return {};
  };
}

/** Returns whether the caller may add users to the team Owners, and to the other teams. */
async function reachOf(guard: Parts['guard'], context: OrganizationContext): Promise<Reach> {
  const [teams, owners] = await Promise.all((['team', 'owners_team'] as const).map(async (objectClass) => {
    const held = await guard.relationsAsAdmitted(context, objectClass);
    return held === 'all' || held.has('can_add_member');
  }));
  return { teams: teams!, owners: owners! };
}
