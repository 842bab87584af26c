import { Fault, notFound } from '@platform/faults';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { AdmissionChanged, type Handler } from '@platform/rpc';
import { readAdministration } from '../accounts/administration.ts';
import { deleteMemberships, readMemberships, readTeamMembers } from '../accounts/members.ts';
import { countOtherAdmins, deletePerson, findPerson, leavesNoAdmin, readPerson } from '../accounts/people.ts';
import { lastOwner } from '../faults.ts';
import { deleteAccount } from '../organizations/delete-account.ts';
import type { Parts } from '../parts.ts';
import { lock, type Lock } from '../write/locks.ts';
import type { Work } from '../write/write.ts';
import { membershipNote } from './convert.ts';
import { leaveOrganizations, readSoleOwnerships, type SoleOwnerships } from './sole-ownerships.ts';

/**
 * `platform admin user delete`: deletes a user, including the user's memberships and tokens (open-points 1.10). Refuses
 * to delete the last site admin who can sign in, or the last owner of an organization. With `leaveOrganizations`, the
 * owners of the administrative organization replace the user as the last owner.
 */
export function deleteUser(parts: Parts): Handler<typeof AdminServiceService.deleteUser> {
  const { database } = parts;
  return async (request, context) => {
    const found = await findPerson(database, request.username ?? '');
    if (found === undefined) throw notFound(`there is no user ${request.username}`);
    const { id } = found;
    const administration = await readAdministration(database);
    let lockedTeams = new Set<number>();
    let heirs: readonly number[] = [];

    async function locks(): Promise<readonly Lock[]> {
      const memberships = await readMemberships(database, id);
      lockedTeams = new Set(memberships.map(({ teamId }) => teamId));
      const administrators = await readTeamMembers(database, administration.ownersTeamId);
      heirs = request.leaveOrganizations ? administrators.filter((one) => one !== id) : [];
      return [
        lock.removal(id),
        ...heirs.map((heir) => lock.account(heir)),
        ...memberships.map(({ organizationId }) => lock.permission(organizationId)),
        ...memberships.map(({ teamId, isOwners }) => (isOwners ? lock.team(teamId) : lock.teamStays(teamId))),
        lock.team(administration.ownersTeamId),
      ];
    }

    async function check(work: Work): Promise<void> {
      const person = await readPerson(work, id);
      if (person === undefined) throw notFound(`there is no user ${request.username}`);
      const memberships = await readMemberships(work, id);
      // If the user has joined another team since the locks were chosen, run again with new locks.
      if (!memberships.every(({ teamId }) => lockedTeams.has(teamId))) throw new AdmissionChanged();
      if (leavesNoAdmin(person, undefined, await countOtherAdmins(work, id))) {
        throw lastOwner('this is the last site admin who can sign in: make another user a site admin first');
      }
      const owned = await readSoleOwnerships(work, id);
      if (owned.count > 0 && heirs.length === 0) throw lastOwnerOf(owned);
      const owners = await readTeamMembers(work, administration.ownersTeamId);
      if (heirs.some((heir) => !owners.includes(heir))) throw new AdmissionChanged();
    }

    async function remove(work: Work): Promise<void> {
      const memberships = await readMemberships(work, id);
      for (const added of await leaveOrganizations(work, id, heirs)) {
        work.audit(membershipNote('team.add_member', added));
      }
      await deleteMemberships(work, id);
      await deletePerson(work, id);
      for (const { organizationId, teamId } of memberships) {
        work.audit(membershipNote('team.remove_member', { organizationId, teamId, userId: id }));
      }
      work.audit({ action: 'user.delete', object: `user:${id}`, details: { name: found!.name } });
    }

    await deleteAccount(parts, context, { accountId: id, locks, check, remove });
    return {};
  };
}

function lastOwnerOf({ slugs, count }: SoleOwnerships): Fault {
  const more = count > slugs.length ? ` and ${count - slugs.length} more` : '';
  return new Fault(
    'LAST_OWNER',
    `this user is the last owner of ${slugs.join(', ')}${more}: `
      + 'make another user an owner, or delete the organizations',
    { metadata: { organizations: slugs.join(','), organizationCount: String(count) } },
  );
}
