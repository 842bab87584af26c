import type { CheckPublicMemberRequest, CheckPublicMemberResponse } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readMembershipOf } from '../reports/memberships.ts';

/** GET /orgs/{orgname}/public_members/{username} (spec §4.13): the same answer for a private member and for nobody. */
export function checkPublicMember({ database }: Parts): Handler<CheckPublicMemberRequest, CheckPublicMemberResponse> {
  return async ({ username }, { organization }) => {
    const key = slugKey(username);
    if (key === undefined || !(await readMembershipOf(database, organization!.id, key)).shown) throw notAMember();
    return {};
  };
}
