import { describeCluster, openCluster } from '@platform/kubernetes';
import type { ClusterServiceService } from '@platform/proto/clusters/v1/cluster';
import type { CallContext, Handler } from '@platform/rpc';
import { changedFields, invalidValue } from '@platform/values';
import type { Parts } from '../parts.ts';
import { expectedCluster, toClusterInfo } from './convert.ts';
import { contactFailed, refuseHubOfAnother } from './refusals.ts';
import { requestedChange, type RequestedChange } from './requested-cluster.ts';
import { changeCluster, type ClusterRow, findClusterNamed, keepKubeconfig, lockCluster } from './store.ts';

/** PATCH /clusters/{owner}/{cluster} (open-points 18.6). A new kubeconfig must reach the same cluster. */
export function updateCluster(parts: Parts): Handler<typeof ClusterServiceService.updateCluster> {
  const { database, sealer, write } = parts;
  return async ({ cluster: name, change, ifMatch }, context) => {
    const { account, deadline } = context;
    const requested = requestedChange(change!);
    const seen = expectedCluster(await findClusterNamed(database, account.id, name, deadline), ifMatch, account.name);
    // Ask the cluster before the transaction, because the cluster may take seconds to answer.
    const described = await describe(parts, requested, seen, context);
    const row = await write(context, [], async (work) => {
      const before = expectedCluster(await lockCluster(work, seen), ifMatch, account.name);
      const { displayName, kubeconfig } = requested;
      const after = await changeCluster(work, seen.id, { displayName, described });
      if (kubeconfig !== undefined) await keepKubeconfig(work, sealer, seen.id, kubeconfig);
      const changed = changedFields({ displayName: before.displayName }, { displayName: after.displayName });
      if (changed !== undefined || kubeconfig !== undefined) {
        work.audit({
          action: 'cluster.update', object: `cluster:${seen.id}`, subjectIds: [account.id],
          details: { ...changed, newKubeconfig: kubeconfig !== undefined },
        });
      }
      return after;
    }).catch(refuseHubOfAnother);
    return toClusterInfo(row, account.name);
  };
}

/** Reads what the cluster reports about itself. Returns undefined if the change has no kubeconfig. */
async function describe({ outbound }: Parts, { access }: RequestedChange, { uid }: ClusterRow, context: CallContext) {
  if (access === undefined) return undefined;
  await using cluster = openCluster(access, outbound);
  const found = await describeCluster(cluster, context.deadline).catch((cause: unknown) => {
    throw contactFailed(cause, context);
  });
  if (found.uid !== uid) throw invalidValue([{ path: 'kubeconfig', message: 'is for another cluster' }]);
  return found;
}
