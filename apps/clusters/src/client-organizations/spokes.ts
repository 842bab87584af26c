import { listObjects, type ManagedCluster, managedClusters, managedClusterSets } from '@platform/kubernetes';
import { createLimiter, type Deadline } from '@platform/service';
import { conflict, invalidValue } from '@platform/values';
import type { ImportedHub } from '../hubs/hubs.ts';
import { namespaceNamed, probeSpoke, type Sought } from '../hubs/probe.ts';
import { clustersOf, isAvailable, uidOf } from '../hubs/selection.ts';
import type { NewClientCluster } from './cluster-store.ts';
import { isOwnRole, manifestsOf, namespacesOf, type SpokeGateway } from './manifests.ts';
import type { Permission } from './requested-organization.ts';
import type { ClusterSettings, RequestedGateway } from './requested-settings.ts';
import { refuseTooLarge } from './sizes.ts';

/** Maximum number of spokes that one request examines at once. The connection pool of a hub has the same size. */
const atOnce = 8;
const rbac = 'rbac.authorization.k8s.io/v1';
const kubeSystem = namespaceNamed('kube-system');
/** With these values, manifests have their maximum size. Sizes are checked before the organization has an id. */
const largest = { organizationId: Number.MAX_SAFE_INTEGER, terminating: true } as const;

export interface ChosenSpoke {
  readonly cluster: ManagedCluster;
  readonly permissions: readonly Permission[];
}

export interface SpokeIndex {
  /** Clusters that the hub has accepted and that have joined the hub, by name. */
  readonly clusters: ReadonlyMap<string, ManagedCluster>;
  readonly sets: ReadonlyMap<string, readonly ManagedCluster[]>;
}

export async function readSpokes({ connection }: ImportedHub, deadline: Deadline): Promise<SpokeIndex> {
  const [all, sets] = await Promise.all([
    listObjects(connection, managedClusters, deadline), listObjects(connection, managedClusterSets, deadline),
  ]);
  const clusters = all.filter(isAvailable);
  return {
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    sets: new Map(sets.map((set) => [set.metadata.name, clustersOf(set, clusters)])),
  };
}

/**
 * Returns the clusters that are named in the permissions, and the clusters of the named sets.
 * @throws Fault INVALID_VALUE for unknown names, and for a spoke that has the name of the hub
 */
export function chooseSpokes(index: SpokeIndex, permissions: readonly Permission[], hubName: string): ChosenSpoke[] {
  const problems: { path: string; message: string }[] = [];
  const chosen = new Map<string, { cluster: ManagedCluster; permissions: Permission[] }>();
  for (const [position, permission] of permissions.entries()) {
    const { name, isClusterSet } = permission;
    const one = index.clusters.get(name);
    const named = isClusterSet ? index.sets.get(name) : one && [one];
    const path = `userPermission.permissions[${position}].name`;
    if (named === undefined) {
      const kind = isClusterSet ? 'cluster set of the hub' : 'cluster that has joined the hub';
      problems.push({ path, message: `is not the name of a ${kind}` });
    }
    for (const cluster of named ?? []) {
      // Refuse a cluster that has the name of the hub, because both would be imported under this name.
      if (cluster.metadata.name === hubName) {
        problems.push({ path, message: 'must not select a cluster that has the name of the hub' });
      }
      const known = chosen.get(cluster.metadata.name);
      if (known === undefined) chosen.set(cluster.metadata.name, { cluster, permissions: [permission] });
      else known.permissions.push(permission);
    }
  }
  if (problems.length > 0) throw invalidValue(problems);
  return [...chosen.values()];
}

/**
 * Examines each spoke through the hub. The namespaces of the organization must not exist on the spoke. Open Cluster
 * Management would adopt existing namespaces, and later delete them with their contents. The roles in the permissions
 * must exist on the spoke (open-points 4.4), except the roles of the platform.
 * @throws Fault CONFLICT, INVALID_VALUE, DEADLINE_EXCEEDED; the failure of the hub
 */
export async function examineSpokes(
  { connection }: ImportedHub, domain: string, name: string, settings: ClusterSettings,
  spokes: readonly ChosenSpoke[], deadline: Deadline,
): Promise<NewClientCluster[]> {
  const limiter = createLimiter(atOnce, 'a connection to the hub');
  const { gateway, ...stored } = settings;
  const namespaces = namespacesOf(name, { gateway: gateway !== undefined, telemetry: stored.telemetry !== undefined });
  return await Promise.all(spokes.map((spoke) => limiter.run(deadline, async () => {
    const spokeName = spoke.cluster.metadata.name;
    const kept = { ...stored, permissions: spoke.permissions };
    const wanted = { ...largest, name, settings: kept, gateway: gatewayOf(name, gateway) };
    refuseTooLarge(spokeName, manifestsOf(wanted, domain));
    const roles = rolesOf(spoke);
    const sought = [kubeSystem, ...namespaces.map(namespaceNamed), ...roles];
    const [uid, ...found] = await probeSpoke(connection, spokeName, domain, sought, deadline);
    const taken = namespaces.find((_, index) => found[index] !== undefined);
    if (taken !== undefined) throw conflict(`the cluster ${spokeName} has a namespace ${taken} already`);
    const missing = roles.find((_, index) => found[namespaces.length + index] === undefined);
    if (missing !== undefined) {
      const { kind, name: role, namespace } = missing;
      const place = namespace === undefined ? '' : ` in the namespace ${namespace}`;
      const message = `names the ${kind} ${role}, which the cluster ${spokeName} does not have${place}`;
      throw invalidValue([{ path: 'userPermission.permissions', message }]);
    }
    const claimed = uidOf(spoke.cluster);
    const known = claimed === '' ? uid?.toLowerCase() : claimed;
    if (known === undefined) {
      throw invalidValue([{ path: 'userPermission.permissions', message: `names ${spokeName}, which has no UID` }]);
    }
    return { name: spokeName, uid: known, settings: kept };
  })));
}

function gatewayOf(name: string, requested: RequestedGateway | undefined): SpokeGateway | undefined {
  if (requested?.kind === 'own') return { kind: 'own', config: JSON.stringify(requested.config) };
  return requested && { kind: 'shared', of: requested.ref === 'default' ? name : requested.ref.name };
}

function rolesOf({ permissions }: ChosenSpoke): Sought[] {
  const all = permissions.flatMap(({ roleType, roleRefName: name, namespaces }): Sought[] => {
    if (roleType === 'Role') {
      return namespaces.map((namespace) => ({ apiVersion: rbac, kind: 'Role', resource: 'roles', name, namespace }));
    }
    return isOwnRole(name) ? [] : [{ apiVersion: rbac, kind: 'ClusterRole', resource: 'clusterroles', name }];
  });
  return [...new Map(all.map((role) => [JSON.stringify(role), role])).values()];
}
