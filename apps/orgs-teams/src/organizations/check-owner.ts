import type { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import type { Handler } from '@platform/rpc';

/** GET /orgs/{orgname}/is-owner (spec §4.13): the access rule is all there is to it. */
export function checkOwner(): Handler<typeof OrganizationServiceService.checkOwner> {
  return async () => ({});
}
