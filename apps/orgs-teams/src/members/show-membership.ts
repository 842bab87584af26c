import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { noOwnMembership, refuseOthers } from './own-membership.ts';
import { showMembership as show } from './shown-membership.ts';

/** PUT /orgs/{orgname}/public_members/{username} (spec §4.13): the caller's own membership alone. */
export function showMembership(parts: Parts): Handler<typeof MemberServiceService.showMembership> {
  return async ({ username }, context) => {
    refuseOthers(context, ({ login }) => login.toLowerCase() === username.toLowerCase());
    await show(parts, context, { userId: context.caller.id, shown: true, absent: noOwnMembership });
    return {};
  };
}
