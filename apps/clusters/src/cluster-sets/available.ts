import type { ManagedCluster } from '@platform/kubernetes';
import type { AccountContext } from '@platform/rpc';
import type { Hub } from '../hubs/hubs.ts';
import { isAvailable } from '../hubs/selection.ts';
import { readImportedBy } from '../hubs/store.ts';
import type { Parts } from '../parts.ts';
import { readClusters } from './sets.ts';
import { readUids } from './uids.ts';

export interface Available {
  readonly clusters: readonly ManagedCluster[];
  /** A client organization sees only clusters that are imported for it. */
  readonly isClient: boolean;
}

/** The accepted and joined clusters that an account sees (open-points 12.2). */
export async function readAvailable(
  { config, database }: Parts, hub: Hub, { account, deadline }: AccountContext,
): Promise<Available> {
  const isClient = account.kind === 'organization' && account.standing.client === true;
  const clusters = (await readClusters(hub, deadline)).filter(isAvailable);
  if (!isClient) return { clusters, isClient };
  const uids = await readUids(hub, clusters, config.labelsDomain, deadline);
  const imported = await readImportedBy(database, [...uids.values()].filter((uid) => uid !== ''), account.id, deadline);
  return { clusters: clusters.filter((cluster) => imported.has(uids.get(cluster)!)), isClient };
}
