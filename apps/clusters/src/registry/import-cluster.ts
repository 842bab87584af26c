import { Fault } from '@platform/faults';
import {
  type ClusterAccess, describeCluster, explainContact, installDefinitions, openCluster,
} from '@platform/kubernetes';
import { nameClosedOwners } from '@platform/owners';
import { type Queryable, UniqueViolation } from '@platform/postgres';
import type {
  ClusterAdminServiceService, ClusterInput, ClusterServiceService, ImportClusterRequest,
} from '@platform/proto/clusters/v1/cluster';
import type { AccountContext, Handler } from '@platform/rpc';
import { type Deadline, remaining } from '@platform/service';
import { alreadyExists, invalidValue } from '@platform/values';
import type { WriteContext } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { toClusterInfo, toRegisteredCluster } from './convert.ts';
import { accountNamed, contactFailed, refuseHubOfAnother } from './refusals.ts';
import { type RequestedCluster, requestedCluster } from './requested-cluster.ts';
import {
  type ClusterRow, clusterTable, type DescribedCluster, isOneTooMany, keepKubeconfig, putCluster,
} from './store.ts';

/** POST /clusters (open-points 18.6): imports a cluster under the acting account. */
export function createCluster(parts: Parts): Handler<typeof ClusterServiceService.createCluster> {
  return async ({ cluster }, context) =>
    toClusterInfo(await importForCustomer(parts, cluster!, context), context.account.name);
}

export function importCluster(parts: Parts): Handler<typeof ClusterServiceService.importCluster> {
  return async (request, context) =>
    toRegisteredCluster(await importForCustomer(parts, inputOf(request), context), context.account.name);
}

function importForCustomer(parts: Parts, request: ClusterInput, context: AccountContext): Promise<ClusterRow> {
  const { account } = context;
  const most = parts.config.clustersUnproven;
  return put(parts, account, request, context, {
    noContact: (cause) => contactFailed(cause, context),
    refuse: async (work, uid) => {
      if (!(await isOneTooMany(work, account.id, uid, most))) return;
      throw new Fault(
        'TOO_MANY_ITEMS', `the account has ${most} or more clusters that have no kubeconfig and have sent no event`,
      );
    },
  });
}

/** Imports a cluster for any account. If the cluster cannot be reached, the operator sees the reason. */
export function importClusterAsOperator(parts: Parts): Handler<typeof ClusterAdminServiceService.importCluster> {
  return async (request, context) => {
    const owner = await accountNamed(parts, request.owner!, context);
    const row = await put(parts, owner, inputOf(request), context, {
      noContact: async (cause, access) => {
        if (remaining(context.deadline) <= 0 || context.cancelled.aborted) return cause;
        const why = await explainContact(access, cause, parts.outbound, context.deadline);
        return new Fault('BAD_UPSTREAM', why, { cause });
      },
    });
    return toRegisteredCluster(row, owner.name);
  };
}

/** Converts a gRPC request. In gRPC, an empty `kubeconfig` means that there is none. */
function inputOf(request: ImportClusterRequest): ClusterInput {
  return { ...request, kubeconfig: request.kubeconfig === '' ? undefined : request.kubeconfig };
}

interface Differing {
  readonly noContact: (cause: unknown, access: ClusterAccess) => unknown;
  /** Called for an import without a kubeconfig, in the transaction of the import. Throws to refuse the cluster. */
  readonly refuse?: (work: Queryable, uid: string) => Promise<void>;
}

async function put(
  parts: Parts, owner: { readonly id: number }, request: ClusterInput, context: WriteContext,
  { noContact, refuse }: Differing,
): Promise<ClusterRow> {
  const { database, write, sealer } = parts;
  const requested = requestedCluster(request);
  // Ask the cluster before the transaction, because the cluster may take seconds to answer.
  const found = await describe(requested, parts, noContact, context.deadline);
  const { name, displayName, provider, kubeconfig } = requested;
  const imported = { ownerId: owner.id, name, displayName, provider, ...found };
  return await nameClosedOwners(database, clusterTable, [owner.id], context.deadline, () =>
    write(context, [], async (work) => {
      if (requested.access === undefined) await refuse?.(work, found.uid);
      const put = await putCluster(work, imported);
      if (kubeconfig !== undefined) await keepKubeconfig(work, sealer, put.id, kubeconfig);
      work.audit({
        action: 'cluster.import', object: `cluster:${put.id}`, subjectIds: [owner.id],
        details: { name, uid: found.uid, newKubeconfig: kubeconfig !== undefined },
      });
      return put;
    })).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) return refuseHubOfAnother(error);
    throw alreadyExists('the account has another cluster of this name', error);
  });
}

/**
 * Returns the UID of the cluster. If the request has a kubeconfig, also returns a description that is read from the
 * cluster. If the request is for a hub, installs the custom resource definitions.
 */
async function describe(
  { access, uid, mustBeHub }: RequestedCluster, { definitions, outbound }: Parts, noContact: Differing['noContact'],
  deadline: Deadline,
): Promise<{ readonly uid: string; readonly described: DescribedCluster | undefined }> {
  if (access === undefined) return { uid: uid!, described: undefined };
  await using cluster = openCluster(access, outbound);
  const { uid: actual, ...described } = await describeCluster(cluster, deadline).catch(async (cause: unknown) => {
    throw await noContact(cause, access);
  });
  if (uid !== undefined && uid !== actual) {
    throw invalidValue([{ path: 'uid', message: 'is not the UID of the cluster that the kubeconfig reaches' }]);
  }
  if (mustBeHub && !described.hub) {
    throw invalidValue([{ path: 'hub', message: 'must be false: the cluster does not run Open Cluster Management' }]);
  }
  if (mustBeHub) await installDefinitions(cluster, definitions, deadline);
  return { uid: actual, described };
}
