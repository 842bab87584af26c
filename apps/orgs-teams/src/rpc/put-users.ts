import type { PutUsersRequest, PutUsersResponse } from '@platform/proto/orgs/v1/bulk';
import type { Handler } from '@platform/rpc';
import { noteTwins, refuseTooMany } from '../domain/batch.ts';
import { slugProblem } from '../domain/slug.ts';
import { textRules } from '../domain/text-rules.ts';
import { refuseViolations } from '../faults.ts';
import { idsOfNames } from '../named-accounts.ts';
import type { Parts } from '../parts.ts';
import { insertMissingPeople } from '../store/batches.ts';

/** Adds the users that are missing (open-points 1.10). */
export function putUsers({ write }: Parts): Handler<PutUsersRequest, PutUsersResponse> {
  return async (request, context) => {
    const people = peopleOf(request);
    if (people.length === 0) return { ids: [], added: 0 };
    return write(context, [], async (work) => {
      const added = await insertMissingPeople(work, people);
      work.audit(...added.map(({ id, name }) => ({
        action: 'user.create', object: `user:${id}`, details: { name },
      })));
      const ids = await idsOfNames(work, 'person', people.map(({ name }) => name));
      return { ids, added: added.length };
    });
  };
}

function peopleOf({ users }: PutUsersRequest) {
  refuseTooMany('users', users);
  const rules = textRules();
  const people = users.map(({ username = '', email = '', fullName }, index) => {
    const place = `users[${index}]`;
    rules.note(`${place}.username`, slugProblem(username));
    rules.email(`${place}.email`, email);
    rules.atMost(`${place}.fullName`, fullName, 100);
    return { name: username, email, fullName };
  });
  noteTwins(rules, people.map(({ name }) => name), (index) => `users[${index}].username`);
  refuseViolations(rules.violations);
  return people;
}
