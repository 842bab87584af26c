import { notFound } from '@platform/faults';
import type { BulkServiceService, PutOrganizationsRequest } from '@platform/proto/orgs/v1/bulk';
import type { Handler } from '@platform/rpc';
import {
  fullNameProblem, lengthProblem, noteDuplicates, refuseTooMany, slugProblem, Violations,
} from '@platform/values';
import { findPeople, idsOfNames, insertMissingOrganizations, type OrganizationOfBatch } from '../accounts/batches.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';

/** Adds organizations with their first teams and owners (open-points 3.1). Existing organizations do not change. */
export function putOrganizations({ write }: Parts): Handler<typeof BulkServiceService.putOrganizations> {
  return async (request, context) => {
    const organizations = organizationsOf(request);
    if (organizations.length === 0) return { ids: [], added: 0 };
    const ownerIds = [...new Set(organizations.map(({ ownerId }) => ownerId))];
    return write(context, ownerIds.map(lock.account), async (work) => {
      const people = new Set(await findPeople(work, ownerIds));
      const missing = ownerIds.filter((id) => !people.has(id));
      if (missing.length > 0) throw notFound(`there are no active users with the ids ${missing.join(', ')}`);
      const added = await insertMissingOrganizations(work, organizations);
      work.audit(...added.map(({ id, name, ownerId }) => ({
        action: 'organization.create', object: `organization:${id}`, organizationId: id, details: { name, ownerId },
      })));
      const ids = await idsOfNames(work, 'organization', organizations.map(({ name }) => name));
      return { ids, added: added.length };
    });
  };
}

function organizationsOf({ organizations }: PutOrganizationsRequest): OrganizationOfBatch[] {
  refuseTooMany('organizations', organizations);
  const violations = new Violations();
  const read = organizations.map(({ username = '', fullName, description, ownerId = 0 }, index) => {
    const place = `organizations[${index}]`;
    violations.note(`${place}.username`, slugProblem(username));
    violations.note(`${place}.fullName`, fullNameProblem(fullName));
    violations.note(`${place}.description`, lengthProblem(description, { most: 255 }));
    return { name: username, fullName, description, ownerId };
  });
  noteDuplicates(violations, read.map(({ name }) => name), (index) => `organizations[${index}].username`);
  violations.refuse();
  return read;
}
