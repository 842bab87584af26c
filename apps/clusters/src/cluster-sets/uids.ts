import { type ClusterConnection, type ManagedCluster } from '@platform/kubernetes';
import { createLimiter, type Deadline, shrink } from '@platform/service';
import type { Hub } from '../hubs/hubs.ts';
import { namespaceNamed, probeSpoke } from '../hubs/probe.ts';
import { answersNow, uidOf } from '../hubs/selection.ts';

const atOnce = 8;
/** Maximum time to wait for a turn and for the answer of a cluster, in milliseconds. */
const askMs = 2_000;

/** Cluster UIDs that were read through each hub. The inner key is the UID of the ManagedCluster. */
const known = new WeakMap<ClusterConnection, Map<string, string>>();

/**
 * The UID of each cluster, in lower case: the UID that the cluster claims, otherwise the UID of its namespace
 * `kube-system` (open-points 12.5). Reads the namespace through the hub if the hub can reach the cluster. The UID is an
 * empty string if it is not known.
 */
export async function readUids(
  { connection }: Pick<Hub, 'connection'>, clusters: readonly ManagedCluster[], domain: string, deadline: Deadline,
): Promise<ReadonlyMap<ManagedCluster, string>> {
  const said = known.get(connection) ?? new Map<string, string>();
  known.set(connection, said);
  const limiter = createLimiter(atOnce, 'a connection to the hub');
  const read = async (cluster: ManagedCluster): Promise<string> => {
    const { name, uid } = cluster.metadata;
    const kept = uidOf(cluster) || (said.get(uid!) ?? '');
    if (kept !== '') return kept;
    if (!answersNow(cluster)) return '';
    const asked = shrink(deadline, askMs);
    const [found] = await limiter.run(asked, () =>
      probeSpoke(connection, name, domain, [namespaceNamed('kube-system')], asked)).catch(() => []);
    if (found !== undefined) said.set(uid!, found.toLowerCase());
    return found?.toLowerCase() ?? '';
  };
  return new Map(await Promise.all(clusters.map(async (cluster) => [cluster, await read(cluster)] as const)));
}
