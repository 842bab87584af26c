import type { GetOrganizationRequest, Organization } from '@platform/proto/orgs/v1/organization';
import { type Handler, notFound } from '@platform/rpc';
import { toOrganization } from '../convert.ts';
import type { Parts } from '../parts.ts';
import { readOrganization } from '../reports/organization.ts';

/** GET /orgs/{orgname} (spec §4.13). The guard has seen to it that the caller may know of it. */
export function getOrganization({ config, database }: Parts): Handler<GetOrganizationRequest, Organization> {
  return async (_request, { organization, deadline }) => {
    const row = await readOrganization(database, organization!.id, deadline);
    if (row === undefined) throw notFound('organization not found');
    return toOrganization(row, config.baseUrl);
  };
}
