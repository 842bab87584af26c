import { pageOf } from '@platform/lists';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toUser } from '../users/convert.ts';
import { readUsers, members } from '../users/reports.ts';
import { readMembershipOf } from './memberships.ts';
import { noOwnMembership, refuseOthers } from './own-membership.ts';
import { showMembership as show } from './shown-membership.ts';

/**
 * GET /orgs/{orgname}/public_members/{username} (spec §4.13). The answer is the same for a private member and for a
 * user who is not a member.
 */
export function checkPublicMember({ database }: Parts): Handler<typeof MemberServiceService.checkPublicMember> {
  return async ({ username }, { account }) => {
    const key = slugKey(username);
    if (key === undefined || !(await readMembershipOf(database, account.id, key)).shown) throw notAMember();
    return {};
  };
}

/** GET /orgs/{orgname}/public_members (spec §4.13). */
export function listPublicMembers({ config, database }: Parts): Handler<typeof MemberServiceService.listPublicMembers> {
  return async (request, { account: { id }, caller, deadline }) => {
    const page = pageOf(request, config);
    const { items, total, next } = await readUsers(database, members.shown(id), id, page, deadline);
    return { members: items.map((row) => toUser(row, caller, config)), total, next };
  };
}

/** PUT /orgs/{orgname}/public_members/{username} (spec §4.13): makes the caller's own membership public. */
export function showMembership(parts: Parts): Handler<typeof MemberServiceService.showMembership> {
  return async ({ username }, context) => {
    refuseOthers(context, ({ login }) => login.toLowerCase() === username.toLowerCase());
    await show(parts, context, { userId: context.caller.id, shown: true, absent: noOwnMembership });
    return {};
  };
}

/** DELETE /orgs/{orgname}/public_members/{username} (spec §4.13): makes the caller's own membership private. */
export function hideMembership(parts: Parts): Handler<typeof MemberServiceService.hideMembership> {
  return async ({ username }, context) => {
    refuseOthers(context, ({ login }) => login.toLowerCase() === username.toLowerCase());
    await show(parts, context, { userId: context.caller.id, shown: false, absent: noOwnMembership });
    return {};
  };
}
