import { Fault } from '@platform/faults';
import type { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { AccountKind, type IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { FoundObject, ObjectSource, RpcClient } from '@platform/rpc';
import { invalidValue, uuidProblem } from '@platform/values';
import { parseIdentity } from '../identity.ts';

export interface FoundCluster extends FoundObject { readonly name: string }

export type Clusters = Pick<RpcClient<typeof ClusterOwnerServiceService>, 'findClusters'>;
type Identities = Pick<RpcClient<typeof IdentityServiceService>, 'getStanding'>;

/**
 * Finds a cluster. The key is a UID, or names an owner and a UID ({@link parseIdentity}). If the key is
 * a UID, several accounts may have a cluster with this UID. Then a cluster of the caller, or of an organization of the
 * caller, is preferred.
 * @throws Fault MISSING_ORG if several of these clusters are preferred, or if none is preferred and the caller is a
 *   site admin; INVALID_VALUE if the key has neither form
 */
export function clusterSource(clusters: Clusters, identities: Identities): ObjectSource {
  return async ({ keys: [key] }, call): Promise<FoundCluster | undefined> => {
    const identity = parseIdentity(String(key));
    if (identity !== undefined) {
      const { clusterUid: uid, ownerId } = identity;
      const found = (await clusters.findClusters({ uid, ownerId }, call)).clusters[0];
      return found && { id: found.id, ownerId, name: found.name };
    }
    const uid = String(key);
    if (uuidProblem(uid) !== undefined) throw invalidValue([{ path: 'clusterUID', message: 'must be a UUID' }]);
    const { clusters: imports } = await clusters.findClusters({ uid }, call);
    if (imports.length <= 1) return imports[0];
    const asked = { token: call.token ?? '', slugs: [], organizationIds: imports.map(({ ownerId }) => ownerId) };
    const { caller, organizations } = await identities.getStanding(asked, call);
    const belongs = organizations.filter(({ id, kind, principals }) =>
      (kind === AccountKind.ACCOUNT_KIND_PERSON ? id === caller?.id : principals.length > 0));
    const own = imports.filter(({ ownerId }) => belongs.some(({ id }) => id === ownerId));
    if (own.length > 1 || (own.length === 0 && caller?.isAdmin === true)) {
      throw new Fault('MISSING_ORG', 'several accounts have this cluster: name the account with the parameter org');
    }
    return own[0] ?? imports[0];
  };
}
