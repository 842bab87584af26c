import type { PutOrganizationsRequest, PutOrganizationsResponse } from '@platform/proto/orgs/v1/bulk';
import { type Handler, notFound } from '@platform/rpc';
import { noteTwins, refuseTooMany } from '../domain/batch.ts';
import { slugProblem } from '../domain/slug.ts';
import { textRules } from '../domain/text-rules.ts';
import { refuseViolations } from '../faults.ts';
import { idsOfNames } from '../named-accounts.ts';
import type { Parts } from '../parts.ts';
import { findPeople, insertMissingOrganizations, type OrganizationOfBatch } from '../store/batches.ts';
import { lock } from '../store/locks.ts';

/** Adds the organizations that are missing, each with its first teams and owner (open-points 3.1). */
export function putOrganizations({ write }: Parts): Handler<PutOrganizationsRequest, PutOrganizationsResponse> {
  return async (request, context) => {
    const organizations = organizationsOf(request);
    if (organizations.length === 0) return { ids: [], added: 0 };
    const ownerIds = [...new Set(organizations.map(({ ownerId }) => ownerId))];
    return write(context, ownerIds.map(lock.account), async (work) => {
      const people = new Set(await findPeople(work, ownerIds));
      const missing = ownerIds.filter((id) => !people.has(id));
      if (missing.length > 0) throw notFound(`there is no user with the id ${missing.join(', ')}`);
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
  const rules = textRules();
  const read = organizations.map(({ username = '', fullName, description, ownerId = 0 }, index) => {
    const place = `organizations[${index}]`;
    rules.note(`${place}.username`, slugProblem(username));
    rules.atMost(`${place}.fullName`, fullName, 100);
    rules.atMost(`${place}.description`, description, 255);
    return { name: username, fullName, description, ownerId };
  });
  noteTwins(rules, read.map(({ name }) => name), (index) => `organizations[${index}].username`);
  refuseViolations(rules.violations);
  return read;
}
