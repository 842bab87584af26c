import type { AccountKind as Kind, Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import { AccountKind } from '@platform/proto/orgs/v1/identity';
import type { AccessRule } from '@platform/surface';
import type { IncomingCall } from '../call-context.ts';
import { Fault, notFound } from '../faults/fault.ts';
import type { GuardSources, ObjectOwner } from './guard-sources.ts';

/** Who calls, and in which organization. */
export interface Resolved {
  caller: Caller | undefined;
  /** The acting organization; undefined where the caller's own account acts, or the method knows none. */
  organization: OrganizationStanding | undefined;
  /** Owner of the object that names the organization, where one does. */
  owner: ObjectOwner | undefined;
}

/**
 * Steps 2 and 4 of open-points 1.5: authenticates, and finds the acting organization.
 * @param countsRequest whether the request counts against the caller's rate: once, however often rows are read for it
 */
export async function resolve(
  sources: GuardSources,
  access: AccessRule,
  request: Readonly<Record<string, unknown>>,
  call: IncomingCall,
  countsRequest: boolean,
): Promise<Resolved> {
  const right = access.right === undefined ? {} : { right: access.right.number };
  const asked = { token: call.token ?? '', countsRequest, ...right };
  const source = access.organization;
  if (!source) {
    const { caller } = await sources.standing({ ...asked, slugs: [], organizationIds: [] }, call);
    return { caller, organization: undefined, owner: undefined };
  }
  if (source.from === 'object') {
    const id = Number(request[source.field] ?? 0);
    const owner = (await sources.objects[source.type]!([id], call)).get(id);
    const organizationIds = owner ? [owner.ownerId] : [];
    const { caller, organizations } = await sources.standing({ ...asked, slugs: [], organizationIds }, call);
    const organization = organizations.find((candidate) => candidate.id === owner?.ownerId);
    if (!organization || (organization.principals.length === 0 && !caller?.isAdmin)) {
      throw notFound(`${source.type} not found`);
    }
    return { caller, organization, owner };
  }
  const slug = String(request[source.field] ?? '');
  const slugs = slug === '' ? [] : [slug];
  const { caller, organizations } = await sources.standing({ ...asked, slugs, organizationIds: [] }, call);
  const organization = actingOrganization(access, source.field, slug, caller, organizations);
  if (organization === 'own organization') {
    const ownIds = [caller!.systemAdminOf];
    const own = await sources.standing({ token: asked.token, slugs: [], organizationIds: ownIds }, call);
    return { caller, organization: own.organizations[0], owner: undefined };
  }
  return { caller, organization, owner: undefined };
}

/** Open-points 1.4. */
function actingOrganization(
  access: AccessRule,
  field: string,
  slug: string,
  caller: Caller | undefined,
  organizations: readonly OrganizationStanding[],
): OrganizationStanding | undefined | 'own organization' {
  const isCaller = caller !== undefined && slug.toLowerCase() === caller.login.toLowerCase();
  if (slug === '' || (isCaller && access.organizationOptional)) {
    if (!access.organizationOptional) throw missingOrganization(field);
    return caller?.systemAdminOf ? 'own organization' : undefined;
  }
  const organization: (OrganizationStanding & { kind: Kind }) | undefined = organizations[0];
  if (!organization?.visible || organization.kind !== AccountKind.ACCOUNT_KIND_ORGANIZATION) {
    throw notFound('organization not found');
  }
  return organization;
}

function missingOrganization(field: string): Fault {
  return new Fault('MISSING_ORG', `the parameter ${field} names no organization`, {
    violations: [{ path: field, message: 'must name an organization' }],
  });
}
