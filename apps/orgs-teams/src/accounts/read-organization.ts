import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { OrganizationType, Visibility } from './visibility.ts';

export interface OrganizationRow {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly avatar: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly managerEndpoint: string;
  readonly visibility: Visibility;
  readonly orgType: OrganizationType;
}

/** The columns of an {@link OrganizationRow}, for queries that join `organization` with `account`. */
export const organizationColumns = sql`
  account.id, account.name, full_name as "fullName", avatar, description, website, location,
  manager_endpoint as "managerEndpoint", visibility, org_type as "orgType"`;

export async function readOrganization(
  queryable: Queryable, id: number, deadline: Deadline,
): Promise<OrganizationRow | undefined> {
  return queryable.maybeOne(sql<OrganizationRow>`
    select ${organizationColumns}
      from organization
      join account on account.id = organization.id
     where organization.id = ${id}`, { deadline });
}
