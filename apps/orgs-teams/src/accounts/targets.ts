import { notFound } from '@platform/faults';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { Deadline } from '@platform/service';
import { slugKey } from '@platform/values';

/**
 * An account that a request names. Hidden system admins (open-points 1.10), and organizations that the caller may not
 * see (open-points 3.6), cannot be targets.
 */
export interface Target {
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'organization';
  readonly active: boolean;
}

/** Finds a target by name, ignoring case. */
export async function findTargetByName(
  queryable: Queryable, name: string, caller: Caller | undefined,
): Promise<Target | undefined> {
  const key = slugKey(name);
  return key === undefined ? undefined : findTarget(queryable, sql`lower(name collate "C") = ${key}`, caller);
}

export async function findTargetById(
  queryable: Queryable, id: number, caller: Caller | undefined,
): Promise<Target | undefined> {
  return findTarget(queryable, sql`account.id = ${id}`, caller);
}

async function findTarget(
  queryable: Queryable, isNamed: Fragment, caller: Caller | undefined,
): Promise<Target | undefined> {
  const { id, isAdmin, systemAdminOf } = caller ?? { id: 0, isAdmin: false, systemAdminOf: 0 };
  return queryable.maybeOne(sql<Target>`
    select account.id, account.name, account.kind, account.active
      from account left join organization on organization.id = account.id
     where ${isNamed}
       and (account.kind = 'person' or account.kind = 'organization' and (
         organization.visibility = 'public' or organization.visibility = 'limited' and ${caller !== undefined}
         or ${isAdmin} or account.id = ${systemAdminOf}
         or exists (select from team_member m where m.organization_id = account.id and m.user_id = ${id})
       ))`);
}

/** Returns the id of the organization with this name, ignoring case. @throws Fault NOT_FOUND */
export async function readOrganizationId(queryable: Queryable, name: string, deadline: Deadline): Promise<number> {
  const key = slugKey(name);
  const row = key === undefined ? undefined : await queryable.maybeOne(sql<{ id: number }>`
    select id from account where lower(name collate "C") = ${key} and kind = 'organization'`, { deadline });
  if (row === undefined) throw notFound(`there is no organization ${name}`);
  return row.id;
}

/** Returns the id of an organization's hidden system admin (open-points 1.10); undefined when it is missing. */
export async function findSystemAdmin(queryable: Queryable, organizationId: number): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ id: number }>`select id from account where system_admin_of = ${organizationId}`);
  return row?.id;
}
