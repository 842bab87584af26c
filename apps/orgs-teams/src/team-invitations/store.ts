import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { TeamInvitation } from '@platform/proto/orgs/v1/team_invitation';
import { lockAddress } from '../mail-links/requests.ts';
import { laterClock } from '../standing/clock.ts';

/** The columns of a `TeamInvitation`, for queries that join `invitation`, `team` and `inviter`. */
const columns = sql`
  invitation.id, invitation.email, invitation.team_id as "teamId", team.name as "team", inviter.name as "inviter",
  invitation.created_at as "createdAt", invitation.expires_at as "expiresAt"`;

/** Whether the caller may add users to the team Owners (`owners`), and to the other teams (`teams`). */
export interface Reach {
  readonly teams: boolean;
  readonly owners: boolean;
}

/**
 * Returns queries for the open invitations of an organization. Leaves out invitations to teams to which the caller may
 * not add users.
 */
export function openInvitations(organizationId: number, { teams, owners }: Reach): Record<'rows' | 'count', Fragment> {
  const from = sql`
      from team_invitation invitation
      join team on team.id = invitation.team_id
      join account inviter on inviter.id = invitation.inviter_id
     where invitation.organization_id = ${organizationId} and invitation.expires_at > ${laterClock()}
       and case when team.is_owners then ${owners}::boolean else ${teams}::boolean end`;
  return { rows: sql`select ${columns} ${from}`, count: sql`select count(*) ${from}` };
}

/**
 * Invites an address to a team. If the address is already invited to the team, renews the invitation in the name of the
 * new inviter. `madeAt` is the time when the invitation was created or last renewed.
 */
export async function putInvitation(
  queryable: Queryable,
  { organizationId, teamId, inviterId, email }: Omit<AcceptedInvitation, 'id' | 'isOwners'>,
): Promise<{ readonly invitation: TeamInvitation; readonly madeAt: string }> {
  const { id, madeAt } = await queryable.one(sql<{ id: number; madeAt: string }>`
    insert into team_invitation (organization_id, team_id, inviter_id, email)
    values (${organizationId}, ${teamId}, ${inviterId}, ${email})
    on conflict (team_id, lower(email collate "C")) do update
       set inviter_id = excluded.inviter_id, email = excluded.email, created_at = clock_timestamp(),
           expires_at = excluded.expires_at
    returning id, created_at::text as "madeAt"`);
  const invitation = await queryable.one(sql<TeamInvitation>`
    select ${columns}
      from team_invitation invitation
      join team on team.id = invitation.team_id
      join account inviter on inviter.id = invitation.inviter_id
     where invitation.id = ${id}`);
  return { invitation, madeAt };
}

export interface AcceptedInvitation {
  readonly id: number;
  readonly organizationId: number;
  readonly teamId: number;
  readonly inviterId: number;
  readonly email: string;
  readonly isOwners: boolean;
}

/** Returns an invitation. Undefined if the invitation does not exist or has expired. */
export function readInvitation(queryable: Queryable, id: number): Promise<AcceptedInvitation | undefined> {
  return queryable.maybeOne(sql<AcceptedInvitation>`
    select invitation.id, invitation.organization_id as "organizationId", team_id as "teamId",
           inviter_id as "inviterId", email, team.is_owners as "isOwners"
      from team_invitation invitation join team on team.id = invitation.team_id
     where invitation.id = ${id} and expires_at > ${laterClock()}`);
}

/** Maximum number of invitations mailed to one address within an hour. Renewals count, but repeats of a job do not. */
const mostMails = 3;

interface MailedInvitation {
  readonly email: string;
  readonly team: string;
  readonly organization: string;
  readonly inviter: string;
  readonly expiresAt: Date;
}

/**
 * Stores that the invitation is mailed, and returns the values for the mail. A repeat changes nothing. Locks the
 * address until the transaction ends.
 * @returns undefined if the invitation has ended or was renewed; `held back` if {@link mostMails} invitations were
 *   mailed to the address in the last hour
 */
export async function noteInvitationMail(
  queryable: Queryable, { invitationId, madeAt }: { readonly invitationId: number; readonly madeAt: string },
): Promise<MailedInvitation | 'held back' | undefined> {
  const present = sql`
    invitation.id = ${invitationId} and invitation.created_at = ${madeAt}::timestamptz
       and invitation.expires_at > ${laterClock()}`;
  const invitation = await queryable.maybeOne(sql<MailedInvitation>`
    select invitation.email, team.name as "team", organization.name as "organization", inviter.name as "inviter",
           invitation.expires_at as "expiresAt"
      from team_invitation invitation
      join team on team.id = invitation.team_id
      join account organization on organization.id = invitation.organization_id
      join account inviter on inviter.id = invitation.inviter_id
     where ${present}`);
  if (invitation === undefined) return undefined;
  await lockAddress(queryable, invitation.email);
  const isNoted = sql`invitation.created_at <= any (invitation.mailed_at)`;
  const noted = await queryable.execute(sql`
    update team_invitation invitation
       set mailed_at = case when ${isNoted} then mailed_at else now() || array(
             select one from unnest(mailed_at) one where one > now() - interval '1 hour'
           ) end
     where ${present} and (${isNoted} or ${mostMails} > (
       select count(*) from team_invitation other, unnest(other.mailed_at) one
        where lower(other.email collate "C") = lower(${invitation.email} collate "C")
          and one > now() - interval '1 hour'
     ))`);
  return noted > 0 ? invitation : 'held back';
}
