import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import { findPerson } from '../accounts/people.ts';
import { notAMember } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { endMembership } from './end-membership.ts';

/** DELETE /orgs/{orgname}/members/{username} (spec §4.13): out of all teams of the organization. */
export function removeMember(parts: Parts): Handler<typeof MemberServiceService.removeMember> {
  return async ({ username }, context) => {
    const person = await findPerson(parts.database, username);
    if (person === undefined) throw notAMember();
    await endMembership(parts, context, { userId: person.id, absent: notAMember });
    return {};
  };
}
