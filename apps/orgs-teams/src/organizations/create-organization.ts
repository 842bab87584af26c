import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import type { CreateOrganizationRequest, OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import type { Handler } from '@platform/rpc';
import { slugProblem, Violations } from '@platform/values';
import { toOrganization } from '../accounts/convert.ts';
import { insertOrganization, type NewOrganization } from '../accounts/organizations.ts';
import { readOrganization } from '../accounts/read-organization.ts';
import { organizationTypes, typeWithEndpoint } from '../accounts/visibility.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { checkOrganization } from './organization-rules.ts';

/** POST /orgs (spec §4.13, open-points 1.10 and 3.1): the creator of an organization is its first owner. */
export function createOrganization(
  { config, write }: Parts,
): Handler<typeof OrganizationServiceService.createOrganization> {
  return async (request, context) => {
    const { caller } = context;
    const organization = newOrganization(request, config.runMode);
    return write(context, [lock.account(caller.id)], async (work) => {
      if (!caller.isAdmin) await refuseTooMany(work, caller.id, config.organizationsPerOwner);
      const { id, ownersTeamId } = await insertOrganization(work, organization, caller.id);
      const { name, visibility, orgType } = organization;
      work.audit({
        action: 'organization.create', object: `organization:${id}`, organizationId: id,
        details: { name, visibility, orgType, ownersTeamId },
      });
      work.settles(id);
      return toOrganization((await readOrganization(work, id, context.deadline))!, config.baseUrl);
    });
  };
}

/**
 * Refuses a caller who owns `most` or more organizations. The caller's account is locked, so the caller cannot create
 * two organizations at the same time.
 */
async function refuseTooMany(queryable: Queryable, callerId: number, most: number): Promise<void> {
  const { owned } = await queryable.one(sql<{ owned: number }>`
    select count(*) as "owned"
      from team_member m join team t on t.id = m.team_id and t.is_owners
     where m.user_id = ${callerId}`);
  if (owned >= most) {
    throw new Fault('TOO_MANY_ORGANIZATIONS', `you already own ${owned} organizations; at most ${most} are permitted`);
  }
}

function newOrganization(request: CreateOrganizationRequest, runMode: 'prod' | 'dev' | 'test'): NewOrganization {
  const {
    username = '', fullName = '', description = '', website = '', location = '',
    managerManagementClusterEndPoint: managerEndpoint = '',
  } = request;
  const violations = new Violations();
  violations.note('username', slugProblem(username));
  const visibility = checkOrganization(violations, request, runMode);
  violations.refuse();
  return {
    name: username, fullName, description, website, location, visibility: visibility ?? 'public',
    orgType: typeWithEndpoint(organizationTypes.ordinary, managerEndpoint), managerEndpoint,
  };
}
