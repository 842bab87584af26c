import type { AdminServiceService, CreateUserRequest } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { emailProblem, fullNameProblem, slugProblem, Violations } from '@platform/values';
import { readAdministration } from '../accounts/administration.ts';
import { insertMember } from '../accounts/members.ts';
import { insertPerson, type NewPerson, type PersonRow } from '../accounts/people.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import type { Work, WriteContext } from '../write/write.ts';
import { membershipNote, toAdminUser } from './convert.ts';

/**
 * `platform admin user create`: creates a user without a token. A new site admin joins the team Owners of the
 * administrative organization (open-points 1.10).
 */
export function createUser(parts: Parts): Handler<typeof AdminServiceService.createUser> {
  const make = makeUser(parts);
  return async (request, context) => make(request, context, async (_work, row) => toAdminUser(row));
}

/**
 * Returns a function that creates a user. `answer` converts the row within the transaction, because the transaction
 * stores the answer for repeats of the request (open-points 18.8).
 */
export function makeUser({ database, write }: Pick<Parts, 'database' | 'write'>) {
  return async <Answer>(
    request: CreateUserRequest, context: WriteContext, answer: (work: Work, row: PersonRow) => Promise<Answer>,
  ): Promise<Answer> => {
    const person = newPerson(request);
    const { organizationId, ownersTeamId } = await readAdministration(database);
    const locks = person.isAdmin ? [lock.permission(organizationId), lock.team(ownersTeamId)] : [];
    return write(context, locks, async (work) => {
      const row = await insertPerson(work, person);
      const { name, isAdmin, active, prohibitLogin, mayCreateOrganization } = row;
      const details = { name, isAdmin, active, prohibitLogin, mayCreateOrganization };
      work.audit({ action: 'user.create', object: `user:${row.id}`, details });
      if (isAdmin) {
        const membership = { organizationId, teamId: ownersTeamId, userId: row.id };
        await insertMember(work, membership);
        work.audit(membershipNote('team.add_member', membership));
      }
      return answer(work, row);
    });
  };
}

function newPerson(request: CreateUserRequest): NewPerson {
  const { username = '', email = '', fullName } = request;
  const violations = new Violations();
  violations.note('username', slugProblem(username));
  violations.note('email', emailProblem(email));
  violations.note('fullName', fullNameProblem(fullName));
  violations.refuse();
  return {
    name: username, email, fullName, isAdmin: request.admin, active: !request.inactive,
    prohibitLogin: request.prohibitLogin, mayCreateOrganization: !request.noCreateOrganization,
  };
}
