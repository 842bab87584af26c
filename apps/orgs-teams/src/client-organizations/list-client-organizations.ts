import { notFound } from '@platform/faults';
import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { ClientOrganizationAccountServiceService } from '@platform/proto/orgs/v1/client_organization';
import type { Handler } from '@platform/rpc';
import { toOrganization } from '../accounts/convert.ts';
import { organizationColumns, type OrganizationRow, readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import type { Parts } from '../parts.ts';

/** GET /user/clients (spec §4.2). */
export function listClientOrganizations(
  { config, database }: Parts,
): Handler<typeof ClientOrganizationAccountServiceService.listClientOrganizations> {
  return async (request, { deadline }) => {
    const { items, total, next } = (await readPage<OrganizationRow>(database, {
      rows: sql`
      select ${organizationColumns}
        from organization join account on account.id = organization.id
       where org_type = ${organizationTypes.client}`,
      order: byId,
      count: sql`select count(*) from organization where org_type = ${organizationTypes.client}`,
    }, pageOf(request, config), deadline))!;
    return { organizations: items.map((row) => toOrganization(row, config.baseUrl)), total, next };
  };
}

/** GET /user/client/{id} (spec §4.2, open-points 4.3). */
export function getClientOrganization(
  { config, database }: Parts,
): Handler<typeof ClientOrganizationAccountServiceService.getClientOrganization> {
  return async ({ id }, { deadline }) => {
    const row = await readOrganization(database, id, deadline);
    if (row === undefined || row.orgType !== organizationTypes.client) throw notFound('client organization not found');
    return toOrganization(row, config.baseUrl);
  };
}
