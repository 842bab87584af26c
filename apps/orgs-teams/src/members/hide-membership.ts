import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { noOwnMembership, refuseOthers } from './own-membership.ts';
import { showMembership } from './shown-membership.ts';

/** DELETE /orgs/{orgname}/public_members/{username} (spec §4.13): the caller's own membership alone. */
export function hideMembership(parts: Parts): Handler<typeof MemberServiceService.hideMembership> {
  return async ({ username }, context) => {
    refuseOthers(context, ({ login }) => login.toLowerCase() === username.toLowerCase());
    await showMembership(parts, context, { userId: context.caller.id, shown: false, absent: noOwnMembership });
    return {};
  };
}
