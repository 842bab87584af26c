import { notFound } from '@platform/faults';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { readAdministration } from '../accounts/administration.ts';
import { deleteMember, insertMember } from '../accounts/members.ts';
import {
  countOtherAdmins, findPerson, leavesNoAdmin, type PersonFlags, readPerson, updateFlags,
} from '../accounts/people.ts';
import { lastOwner } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { toAdminUser } from './convert.ts';

/**
 * `platform admin user update`. The site admin's flag and the membership of the administrative Owners change together
 * (open-points 1.10); the lock of that team makes "the last one" a question with one answer.
 */
export function updateUser({ database, write }: Parts): Handler<typeof AdminServiceService.updateUser> {
  return async (request, context) => {
    const found = await findPerson(database, request.username ?? '');
    if (found === undefined) throw notFound(`there is no user ${request.username}`);
    const { organizationId, ownersTeamId } = await readAdministration(database);
    const locks = [lock.account(found.id), lock.permission(organizationId), lock.team(ownersTeamId)];
    return write(context, locks, async (work) => {
      const before = await readPerson(work, found.id);
      if (before === undefined) throw notFound(`there is no user ${request.username}`);
      const after: PersonFlags = {
        isAdmin: request.admin ?? before.isAdmin,
        active: request.active ?? before.active,
        prohibitLogin: request.prohibitLogin ?? before.prohibitLogin,
      };
      if (leavesNoAdmin(before, after, await countOtherAdmins(work, before.id))) {
        throw lastOwner('this is the last site admin that can sign in: make another one first');
      }
      const row = await updateFlags(work, before.id, after);
      const { isAdmin, active, prohibitLogin } = before;
      work.audit({
        action: 'user.update', object: `user:${row.id}`, details: { before: { isAdmin, active, prohibitLogin }, after },
      });
      if (after.isAdmin !== before.isAdmin) {
        const membership = { organizationId, teamId: ownersTeamId, userId: row.id };
        const changed = await (after.isAdmin ? insertMember(work, membership) : deleteMember(work, membership));
        if (changed) {
          work.audit({
            action: after.isAdmin ? 'team.add_member' : 'team.remove_member',
            object: `team:${ownersTeamId}`,
            organizationId,
            subjectIds: [row.id],
            details: { userId: row.id },
          });
        }
      }
      return toAdminUser(row);
    });
  };
}
