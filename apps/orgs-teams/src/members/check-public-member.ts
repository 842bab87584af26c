import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readMembershipOf } from './memberships.ts';

/** GET /orgs/{orgname}/public_members/{username} (spec §4.13): one answer for private and unknown. */
export function checkPublicMember({ database }: Parts): Handler<typeof MemberServiceService.checkPublicMember> {
  return async ({ username }, { account }) => {
    const key = slugKey(username);
    if (key === undefined || !(await readMembershipOf(database, account.id, key)).shown) throw notAMember();
    return {};
  };
}
