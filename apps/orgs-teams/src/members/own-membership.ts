import { Fault } from '@platform/faults';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { CallerContext } from '@platform/rpc';
import { notSelf } from '../faults.ts';

/**
 * Refuses callers who want to change the membership of another user. Also refuses the token of an organization
 * (open-points 1.10).
 * @param isCaller whether the membership belongs to the caller
 * @throws Fault FORBIDDEN, NOT_SELF
 */
export function refuseOthers({ caller }: Pick<CallerContext, 'caller'>, isCaller: (caller: Caller) => boolean): void {
  if (caller.systemAdminOf !== 0) throw organizationHasNoMembership();
  if (!isCaller(caller)) throw notSelf();
}

export function organizationHasNoMembership(): Fault {
  return new Fault('FORBIDDEN', 'the token of an organization has no membership of its own');
}

/** The caller is not a member of the organization. Site admins get this fault, too (open-points 1.10). */
export function noOwnMembership(): Fault {
  return new Fault('NOT_ORG_MEMBER', 'you are not a member of this organization');
}
