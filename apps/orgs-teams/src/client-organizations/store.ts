import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { organizationColumns, type OrganizationRow } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';

/** The client organizations by ascending id. */
export async function readClientOrganizations(
  queryable: Queryable, page: Page, deadline: Deadline,
): Promise<Listed<OrganizationRow>> {
  const listed = await readPage<OrganizationRow>(queryable, {
    rows: sql`
      select ${organizationColumns}
        from organization join account on account.id = organization.id
       where org_type = ${organizationTypes.client}`,
    order: byId,
    count: sql`select count(*) from organization where org_type = ${organizationTypes.client}`,
  }, page, deadline);
  return listed!;
}

/**
 * Stores the outcome of a creation, unless the creation already has an outcome.
 * @returns the id of the created organization, or null when the creation was abandoned
 */
export async function settleCreation(
  queryable: Queryable, creation: string, organizationId: number | null,
): Promise<number | null> {
  const { settled } = await queryable.one(sql<{ settled: number | null }>`
    with noted as (
      insert into client_organization_creation (id, organization_id) values (${creation}, ${organizationId}::bigint)
      on conflict (id) do update set organization_id = client_organization_creation.organization_id
      returning organization_id
    )
    select organization_id as "settled" from noted`);
  return settled;
}

/** Returns the outcome of a creation; undefined while it has none. */
export async function findCreation(
  queryable: Queryable, creation: string,
): Promise<{ readonly organizationId: number | null } | undefined> {
  return queryable.maybeOne(sql<{ organizationId: number | null }>`
    select organization_id as "organizationId" from client_organization_creation where id = ${creation}`);
}
