import { Fault } from '@platform/faults';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { CallerContext } from '@platform/rpc';
import { notSelf } from '../faults.ts';

/**
 * Refuses the token of an organization (open-points 1.10), and users for whom `isCaller` returns false.
 * @throws Fault FORBIDDEN, NOT_SELF
 */
export function refuseOthers({ caller }: Pick<CallerContext, 'caller'>, isCaller: (caller: Caller) => boolean): void {
  if (caller.systemAdminOf !== 0) throw organizationHasNoMembership();
  if (!isCaller(caller)) throw notSelf();
}

export function organizationHasNoMembership(): Fault {
  return new Fault('FORBIDDEN', 'the token of an organization has no membership of its own');
}

/** Site admins can get this fault too: they pass all checks except those of their own membership (open-points 1.10). */
export function noOwnMembership(): Fault {
  return new Fault('NOT_ORG_MEMBER', 'you are not a member of this organization');
}
