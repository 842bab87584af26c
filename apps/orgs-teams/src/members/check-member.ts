import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { slugKey } from '@platform/values';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readMembershipOf } from './memberships.ts';

/**
 * GET /orgs/{orgname}/members/{username} (spec §4.13, open-points 3.3). Who is no member is sent to the public members
 * without a look at the rows, so that accounts are not found by guessing.
 */
export function checkMember({ database }: Parts): Handler<typeof MemberServiceService.checkMember> {
  return async ({ orgname, username }, { caller, account }) => {
    const mayKnow = account.standing.principals.length > 0 || caller?.isAdmin === true;
    const key = slugKey(username);
    if (!mayKnow) {
      if (key !== undefined && key === caller?.login.toLowerCase()) throw notAMember();
      const location = `/api/v1/orgs/${encodeURIComponent(orgname)}/public_members/${encodeURIComponent(username)}`;
      return { location };
    }
    if (key === undefined || !(await readMembershipOf(database, account.id, key)).member) throw notAMember();
    return { location: '' };
  };
}
