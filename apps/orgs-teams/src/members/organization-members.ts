import { pageOf } from '@platform/lists';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { findPerson } from '../accounts/people.ts';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toUser } from '../users/convert.ts';
import { readUsers, members } from '../users/reports.ts';
import { endMembership } from './end-membership.ts';
import { readMembershipOf } from './memberships.ts';

/**
 * GET /orgs/{orgname}/members (spec §4.13). Members, site admins and the token of the organization see all members.
 * Other callers see only the public members.
 */
export function listMembers({ config, database }: Parts): Handler<typeof MemberServiceService.listMembers> {
  return async (request, { account: { id, standing }, caller, deadline }) => {
    const belongs = standing.principals.length > 0 || caller?.isAdmin === true;
    const chosen = belongs ? members.all(id) : members.shown(id);
    const { items, total, next } = await readUsers(database, chosen, id, pageOf(request, config), deadline);
    return { members: items.map((row) => toUser(row, caller, config)), total, next };
  };
}

/**
 * GET /orgs/{orgname}/members/{username} (spec §4.13, open-points 3.3). Callers who may not see all members are
 * redirected to the public members, even if the user does not exist. For their own name, they get the Fault NOT_FOUND.
 */
export function checkMember({ database }: Parts): Handler<typeof MemberServiceService.checkMember> {
  return async ({ orgname, username }, { caller, account }) => {
    const mayKnow = account.standing.principals.length > 0 || caller?.isAdmin === true;
    const key = slugKey(username);
    if (!mayKnow) {
      if (key !== undefined && key === caller?.login.toLowerCase()) throw notAMember();
      return { location: `/api/v1/orgs/${encodeURIComponent(orgname)}/public_members/${encodeURIComponent(username)}` };
    }
    if (key === undefined || !(await readMembershipOf(database, account.id, key)).member) throw notAMember();
    return { location: '' };
  };
}

/** DELETE /orgs/{orgname}/members/{username} (spec §4.13): removes the user from all teams of the organization. */
export function removeMember(parts: Parts): Handler<typeof MemberServiceService.removeMember> {
  return async ({ username }, context) => {
    const person = await findPerson(parts.database, username);
    if (person === undefined) throw notAMember();
    await endMembership(parts, context, { userId: person.id, absent: notAMember });
    return {};
  };
}
