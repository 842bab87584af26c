import type { BulkServiceService, PutUsersRequest } from '@platform/proto/orgs/v1/bulk';
import type { Handler } from '@platform/rpc';
import {
  emailProblem, fullNameProblem, noteDuplicates, refuseTooMany, slugProblem, Violations,
} from '@platform/values';
import { idsOfNames, insertMissingPeople } from '../accounts/batches.ts';
import type { Parts } from '../parts.ts';

/** Creates the users of the request that do not exist yet (open-points 1.10). */
export function putUsers({ write }: Parts): Handler<typeof BulkServiceService.putUsers> {
  return async (request, context) => {
    const people = peopleOf(request);
    if (people.length === 0) return { ids: [], added: 0 };
    return write(context, [], async (work) => {
      const added = await insertMissingPeople(work, people);
      work.audit(...added.map(({ id, name }) => ({ action: 'user.create', object: `user:${id}`, details: { name } })));
      const ids = await idsOfNames(work, 'person', people.map(({ name }) => name));
      return { ids, added: added.length };
    });
  };
}

function peopleOf({ users }: PutUsersRequest) {
  refuseTooMany('users', users);
  const violations = new Violations();
  const people = users.map(({ username = '', email = '', fullName }, index) => {
    const place = `users[${index}]`;
    violations.note(`${place}.username`, slugProblem(username));
    violations.note(`${place}.email`, emailProblem(email));
    violations.note(`${place}.fullName`, fullNameProblem(fullName));
    return { name: username, email, fullName };
  });
  noteDuplicates(violations, people.map(({ name }) => name), (index) => `users[${index}].username`);
  violations.refuse();
  return people;
}
