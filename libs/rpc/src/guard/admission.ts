import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Admission } from '../call-context.ts';

/** Returns the rows on which a decision is based. @param readAt on the clock of `performance.now()` */
export function admissionOf(
  right: Admission['right'], caller: Caller | undefined, organization: OrganizationStanding | undefined, readAt: number,
): Admission {
  return {
    tokenId: caller?.tokenId ?? 0,
    callerId: caller?.id ?? 0,
    isAdmin: caller?.isAdmin ?? false,
    organizationId: organization?.id ?? 0,
    right: caller?.isAdmin === true ? undefined : right,
    principals: organization?.principals.map(({ user, revision }) => ({ user, revision })) ?? [],
    readAt,
  };
}

/** Whether two admissions of one caller in one organization are based on the same revisions of the same principals. */
export function sameRows(now: Admission, decided: Admission): boolean {
  const revisions = new Map(now.principals.map(({ user, revision }) => [user, revision]));
  return decided.principals.length === revisions.size
    && decided.principals.every(({ user, revision }) => revisions.get(user) === revision);
}
