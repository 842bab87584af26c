import type { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import type { Handler } from '@platform/rpc';
import { toOrganization } from '../accounts/convert.ts';
import type { Parts } from '../parts.ts';
import { organizationBehind } from '../standing/convert.ts';

/** GET /orgs/{orgname} (spec §4.13). The guard has read the organization and checked that the caller may see it. */
export function getOrganization({ config }: Parts): Handler<typeof OrganizationServiceService.getOrganization> {
  return async (_request, { account }) => toOrganization(organizationBehind(account.standing), config.baseUrl);
}

/** GET /orgs/{orgname}/is-owner (spec §4.13): the access rule makes the decision, so this handler does nothing. */
export function checkOwner(): Handler<typeof OrganizationServiceService.checkOwner> {
  return async () => ({});
}
