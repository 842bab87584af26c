import { Fault, notFound } from '@platform/faults';
import type { BackendContext, Registration } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { organizationClass } from '@platform/relations';
import type { AccountContext, CallerContext } from '@platform/rpc';
import { controlCharacterProblem, invalidValue, lengthProblem, uuidProblem, Violations } from '@platform/values';
import { identityText, isProjectId } from '../identity.ts';
import type { Parts } from '../parts.ts';
import type { Flavor } from '../dashboards/dashboard.ts';
import { longestName } from '../dashboards/perses.ts';
import type { Target } from './store.ts';

type Named = Pick<Registration & BackendContext, 'hubUid' | 'clusterUid' | 'projectId' | 'clientOrgId' | 'default'>;

/**
 * The ids in a request, after a check of their form. If the request names no cluster, the cluster of the token is used.
 */
interface NamedTarget {
  readonly clusterUid: string;
  readonly projectId: string;
  /** Undefined if the request names no client organization. */
  readonly clientOrganizationId: number | undefined;
  readonly hubUid: string;
}

/** @throws Fault INVALID_VALUE with all invalid fields */
export function namedTarget(named: Named, tokenClusterUid: string | undefined): NamedTarget {
  const violations = new Violations();
  const { hubUid = '', clientOrgId = '' } = named;
  const clusterUid = (named.clusterUid || tokenClusterUid || '').toLowerCase();
  const projectId = named.default === true ? '' : (named.projectId ?? '');
  if (clusterUid === '') violations.note('clusterUID', 'is required with a token that is not bound to a cluster');
  else violations.note('clusterUID', uuidProblem(clusterUid));
  if (projectId !== '' && !isProjectId(projectId)) {
    violations.note('projectId', 'must have 1 to 63 letters, digits and -, and begin with a letter or digit');
  }
  const isId = /^[1-9][0-9]{0,15}$/.test(clientOrgId) && Number.isSafeInteger(Number(clientOrgId));
  if (clientOrgId !== '' && !isId) violations.note('clientOrgID', 'must be the id of an organization');
  violations.note('hubUID', lengthProblem(hubUid, { most: 255 }) ?? controlCharacterProblem(hubUid));
  violations.refuse(invalidValue);
  return { clusterUid, projectId, clientOrganizationId: clientOrgId === '' ? undefined : Number(clientOrgId), hubUid };
}

/**
 * Finds the cluster of a request, and the account that owns the backend (open-points 9). The acting account must have
 * imported the cluster. If the request names a client organization, this organization must have the cluster, too. The
 * caller must then have the right to manage the metrics backends of the client organization.
 * @throws Fault NOT_FOUND, FORBIDDEN, INVALID_VALUE
 */
export async function findTarget(
  { clusters, identity: identities, guard }: Parts,
  { clusterUid, projectId, clientOrganizationId, hubUid }: NamedTarget, flavor: Flavor,
  context: CallerContext & AccountContext,
): Promise<Target> {
  const { account } = context;
  const { clusters: imports } = await clusters.findClusters({ uid: clusterUid }, context);
  const entryOf = (ownerId: number) => imports.find((cluster) => cluster.ownerId === ownerId);
  const own = entryOf(account.id);
  if (own === undefined && imports.length === 0) throw notFound('cluster not found');
  if (own === undefined) throw new Fault('FORBIDDEN', `the cluster does not belong to ${account.name}`);
  const target = (ownerId: number, ownerName: string, clusterId: number): Target => {
    const identity = identityText({ ownerId, clusterUid, projectId });
    if (flavor === 'flavorb' && identity.length > longestName) {
      const most = longestName - (identity.length - projectId.length);
      const message = `must have at most ${most} characters for this cluster in flavor B`;
      throw invalidValue([{ path: 'projectId', message }]);
    }
    return { identity, flavor, ownerId, ownerName, clusterId, clusterUid, hubUid };
  };
  if (clientOrganizationId === undefined) return target(account.id, account.name, own.id);

  // Any account can import a cluster with the same UID. So the import gives no right to a client organization's
  // backends.
  const { organizations: [client] } = await identities.getStanding(
    { token: context.token ?? '', slugs: [], organizationIds: [clientOrganizationId] }, context,
  );
  const entry = entryOf(clientOrganizationId);
  const mayManage = async () => {
    const held = await guard.relations(context, client!, organizationClass(client!.administrative));
    return held === 'all' || held.has('can_manage_metrics_backends');
  };
  if (client?.client !== true || entry === undefined || !(await mayManage())) {
    const message = 'must be a client organization with this cluster, and you must be allowed to manage its backends';
    throw invalidValue([{ path: 'clientOrgID', message }]);
  }
  return target(client.id, client.slug, entry.id);
}
