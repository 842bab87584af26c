import { notFound } from '@platform/faults';
import type { AdminServiceService, UpdateUserRequest } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { changedFields, emailProblem, fullNameProblem, Violations } from '@platform/values';
import { readAdministration } from '../accounts/administration.ts';
import { deleteMember, insertMember } from '../accounts/members.ts';
import {
  type ChangeablePerson, countOtherAdmins, findPerson, leavesNoAdmin, readPerson, updatePerson,
} from '../accounts/people.ts';
import { lastOwner } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { membershipNote, toAdminUser } from './convert.ts';

/**
 * Changes a user (`platform admin user update`, open-points 1.10). A user who becomes a site admin joins the team
 * Owners of the administrative organization. A user who ceases to be a site admin leaves this team. The lock of this
 * team prevents two calls from removing the last two site admins at once.
 */
export function updateUser({ database, write }: Parts): Handler<typeof AdminServiceService.updateUser> {
  return async (request, context) => {
    refuseInvalid(request);
    const found = await findPerson(database, request.username ?? '');
    if (found === undefined) throw notFound(`there is no user ${request.username}`);
    const { organizationId, ownersTeamId } = await readAdministration(database);
    const locks = [lock.account(found.id), lock.permission(organizationId), lock.team(ownersTeamId)];
    return write(context, locks, async (work) => {
      const before = await readPerson(work, found.id);
      if (before === undefined) throw notFound(`there is no user ${request.username}`);
      const {
        admin: isAdmin = before.isAdmin, active = before.active, prohibitLogin = before.prohibitLogin,
        fullName = before.fullName, email = before.email, mayCreateOrganization = before.mayCreateOrganization,
      } = request;
      const after: ChangeablePerson = { isAdmin, active, prohibitLogin, fullName, email, mayCreateOrganization };
      if (leavesNoAdmin(before, after, await countOtherAdmins(work, before.id))) {
        throw lastOwner('this is the last site admin who can sign in: make another user a site admin first');
      }
      const details = changedFields<ChangeablePerson>(before, after);
      if (details === undefined) return toAdminUser(before);
      const row = await updatePerson(work, before.id, after);
      work.audit({ action: 'user.update', object: `user:${row.id}`, details });
      if (isAdmin !== before.isAdmin) {
        const membership = { organizationId, teamId: ownersTeamId, userId: row.id };
        const changed = await (isAdmin ? insertMember(work, membership) : deleteMember(work, membership));
        if (changed) work.audit(membershipNote(isAdmin ? 'team.add_member' : 'team.remove_member', membership));
      }
      return toAdminUser(row);
    });
  };
}

function refuseInvalid({ email, fullName = '' }: UpdateUserRequest): void {
  const violations = new Violations();
  violations.note('full_name', fullNameProblem(fullName));
  if (email !== undefined) violations.note('email', emailProblem(email));
  violations.refuse();
}
