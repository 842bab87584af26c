import type { AcceptTeamInvitationRequest, SignInServiceService } from '@platform/proto/orgs/v1/sign_in';
import { AdmissionChanged, type Handler } from '@platform/rpc';
import { sql } from '@platform/postgres';
import { teamClass } from '@platform/relations';
import type { Deadline } from '@platform/service';
import { fullNameProblem, slugProblem, Violations } from '@platform/values';
import { insertMember } from '../accounts/members.ts';
import { linkExpired } from '../faults.ts';
import { insertOrdinaryPerson, signedIn } from '../mail-links/follow.ts';
import { type AddressHolder, confirmAddress, findHolders, lockAddress } from '../mail-links/requests.ts';
import type { Parts } from '../parts.ts';
import { readTeamGrants } from '../roles/team-grants.ts';
import { codeHash, findCode, takeCode } from '../sessions/codes.ts';
import { readRightsByRows } from '../standing/rights-by-rows.ts';
import { type Lock, lock } from '../write/locks.ts';
import type { Work } from '../write/write.ts';
import { type AcceptedInvitation, readInvitation } from './store.ts';

/**
 * POST /auth/invitation/{code} (open-points 18.1): adds the invited user to the team, if the inviter still has the
 * necessary rights. Also signs the user in, because the link proves control of the mailbox. If no account has the
 * invited address, creates one, even if sign-up is disabled (18.4).
 */
export function acceptTeamInvitation(parts: Parts): Handler<typeof SignInServiceService.acceptTeamInvitation> {
  const { config, database, write } = parts;
  return async (request, context) => {
    const hash = codeHash(config.tokenKey, 'invitation', request.code);
    const { invitationId = null } = (await findCode(database, 'invitation', hash)) ?? {};
    const known = invitationId === null ? undefined : await readInvitation(database, invitationId);
    if (known === undefined) throw linkExpired();
    const holder = (await findHolders(database, known.email)).find(({ isUsable }) => isUsable);
    return write(context, locksOf(known, holder), async (work) => {
      if ((await takeCode(work, 'invitation', hash)) === undefined) throw linkExpired();
      const invitation = await readInvitation(work, known.id);
      if (invitation?.inviterId !== known.inviterId) throw linkExpired();
      await refuseUnlessInviterMay(work, invitation, context.deadline);
      const userId = await invitedPerson(work, invitation, request, holder);
      const { session } = await signedIn(parts, work, userId, request, context);
      const { id, organizationId, teamId, inviterId } = invitation;
      if (await insertMember(work, { organizationId, teamId, userId })) {
        work.audit({
          action: 'team.add_member', object: `team:${teamId}`, organizationId, subjectIds: [userId],
          details: { userId, invitationId: id, inviterId },
        });
      }
      await work.execute(sql`delete from team_invitation where id = ${id}`);
      return { session };
    });
  };
}

/** The locks include the inviter's row, so that the inviter keeps the rights until the commit. */
function locksOf({ organizationId, teamId, inviterId, isOwners }: AcceptedInvitation, holder?: AddressHolder): Lock[] {
  return [
    lock.permission(organizationId),
    lock.permission(inviterId),
    ...(holder === undefined ? [] : [lock.account(holder.id)]),
    isOwners ? lock.team(teamId) : lock.teamStays(teamId),
  ];
}

/**
 * Refuses the invitation if the inviter may not add users to the team, or lacks a right that the team has
 * (open-points 2.7).
 * @throws Fault LINK_EXPIRED
 */
async function refuseUnlessInviterMay(
  work: Work, { inviterId, organizationId, teamId, isOwners }: AcceptedInvitation, deadline: Deadline,
): Promise<void> {
  const inviter = await readRightsByRows(work, inviterId, organizationId, deadline);
  const team = await readTeamGrants(work, organizationId, teamId);
  if (inviter === undefined || team === undefined) throw linkExpired();
  const mayAdd = inviter.holds({ objectClass: teamClass(isOwners, false), relation: 'can_add_member' });
  if (!mayAdd || !team.granted.every((granted) => inviter.holds(granted))) throw linkExpired();
}

/**
 * Returns the id of the account with the invited address, and confirms the address. If no account has the address,
 * creates one.
 * @throws Fault LINK_EXPIRED if accounts have the address, but none of them may sign in
 * @throws Fault VALIDATION_FAILED, ALREADY_EXISTS if the new account cannot have the requested names
 * @throws AdmissionChanged if `locked` is out of date
 */
async function invitedPerson(
  work: Work, { email }: AcceptedInvitation, request: AcceptTeamInvitationRequest, locked: AddressHolder | undefined,
): Promise<number> {
  await lockAddress(work, email);
  const holders = await findHolders(work, email);
  const holder = holders.find(({ isUsable }) => isUsable);
  // If the address now belongs to another account than when the locks were chosen, run again with new locks.
  if (holder?.id !== locked?.id) throw new AdmissionChanged();
  if (holder === undefined && holders.length > 0) throw linkExpired();
  const id = holder?.id ?? (await newPerson(work, email, request));
  await confirmAddress(work, id, email);
  return id;
}

/** @throws Fault VALIDATION_FAILED, ALREADY_EXISTS */
async function newPerson(
  work: Work, email: string, { username = '', fullName = '' }: AcceptTeamInvitationRequest,
): Promise<number> {
  const violations = new Violations();
  violations.note('username', slugProblem(username));
  violations.note('full_name', fullNameProblem(fullName));
  violations.refuse();
  return (await insertOrdinaryPerson(work, { name: username, email, fullName })).id;
}
