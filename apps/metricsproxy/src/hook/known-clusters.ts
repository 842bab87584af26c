import type { OpenHolder } from '@platform/leases';
import type { Cluster, FindClustersRequest } from '@platform/proto/clusters/v1/owners';
import type { Clusters } from './cluster-source.ts';

/** The clusters with one UID: of all accounts, or of one account. */
export type KnownClusters = readonly Cluster[];

/** Finds clusters in memory while a lease of `clusters` allows this (leases.md), and otherwise asks `clusters`. */
export function knownClusters({ findClusters }: Clusters, holder: OpenHolder<KnownClusters>): Clusters {
  return {
    findClusters: async (request, call) => {
      const question = questionOf(request);
      const known = holder.look(question);
      if (known !== undefined) return { clusters: [...known] };
      return holder.read(question, async () => {
        const result = await findClusters(request, call);
        const { clusters } = result;
        const bytes = 500 + 300 * clusters.length;
        return { result, kept: { keys: [`cluster/${uidOf(request)}`], value: clusters, bytes } };
      });
    },
  };
}

function questionOf(request: FindClustersRequest): string {
  return `${uidOf(request)} ${request.ownerId ?? ''}`;
}

function uidOf({ uid = '' }: FindClustersRequest): string {
  return uid.toLowerCase();
}
