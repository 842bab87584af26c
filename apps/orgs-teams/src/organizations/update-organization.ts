import { Fault, notFound } from '@platform/faults';
import type { OrganizationServiceService, UpdateOrganizationRequest } from '@platform/proto/orgs/v1/organization';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import { changedFields, Violations } from '@platform/values';
import { toOrganization } from '../accounts/convert.ts';
import { updateOrganization as update } from '../accounts/organizations.ts';
import { type OrganizationRow, readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes, typeWithEndpoint, type Visibility } from '../accounts/visibility.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { checkOrganization } from './organization-rules.ts';

/**
 * PATCH /orgs/{orgname} (spec §4.13). Absent fields do not change. Open-points 3.1 says which fields an empty text
 * clears.
 */
export function updateOrganization(
  { config, write }: Parts,
): Handler<typeof OrganizationServiceService.updateOrganization> {
  return async (request, context) => {
    const violations = new Violations();
    const visibility = checkOrganization(violations, request, config.runMode);
    violations.refuse();
    const { id } = context.account;
    return write(context, [lock.structure(id)], async (work) => {
      const before = await readOrganization(work, id, context.deadline);
      if (before === undefined) throw notFound('organization not found');
      refuseOtherRevision(request.ifMatch, toOrganization(before, config.baseUrl));
      const after = changed(before, request, visibility);
      const details = changedFields(before, after);
      if (details !== undefined) {
        await update(work, after);
        work.audit({ action: 'organization.update', object: `organization:${id}`, organizationId: id, details });
      }
      return toOrganization(after, config.baseUrl);
    });
  };
}

function changed(
  before: OrganizationRow, request: UpdateOrganizationRequest, visibility: Visibility | undefined,
): OrganizationRow {
  const {
    fullName = before.fullName, description = before.description, website = before.website,
    location = before.location, managerManagementClusterEndPoint: managerEndpoint = before.managerEndpoint,
  } = request;
  if (before.orgType === organizationTypes.managerOrigin && managerEndpoint === '') {
    throw new Fault('INVALID_VALUE', 'the managerManagementClusterEndPoint of this organization cannot be removed', {
      violations: [{ path: 'managerManagementClusterEndPoint', message: 'must not be empty' }],
    });
  }
  return {
    ...before, fullName, description, website, location, managerEndpoint,
    visibility: visibility ?? before.visibility, orgType: typeWithEndpoint(before.orgType, managerEndpoint),
  };
}
