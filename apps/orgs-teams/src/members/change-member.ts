import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { endMembership } from './end-membership.ts';
import { noOwnMembership, organizationHasNoMembership, refuseOthers } from './own-membership.ts';
import { showMembership } from './shown-membership.ts';

/** POST /orgs/{orgname}/members/action/{action} (spec §4.13, open-points 1.10 and 3.3). */
export function changeMember(parts: Parts): Handler<typeof MemberServiceService.changeMember> {
  return async ({ action, uid: userId = 0 }, context) => {
    const { caller } = context;
    if (caller.systemAdminOf !== 0) throw organizationHasNoMembership();
    switch (action) {
      case 'private':
      case 'public': {
        const absent = () => (userId === caller.id ? noOwnMembership() : notAMember());
        await showMembership(parts, context, { userId, shown: action === 'public', absent });
        break;
      }
      case 'leave':
        refuseOthers(context, ({ id }) => id === userId);
        await endMembership(parts, context, { userId, absent: notAMember });
        break;
      default:
        await endMembership(parts, context, { userId, absent: notAMember });
    }
    return {};
  };
}
