import { Fault } from '@platform/faults';
import {
  type ClusterAccess, describeCluster, explainContact, installDefinitions, openCluster,
} from '@platform/kubernetes';
import { nameClosedOwners } from '@platform/owners';
import { CheckViolation, type Queryable, UniqueViolation } from '@platform/postgres';
import type {
  ClusterAdminServiceService, ClusterServiceService, ImportClusterRequest, RegisteredCluster,
} from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { type Deadline, remaining } from '@platform/service';
import { alreadyExists, invalidValue } from '@platform/values';
import type { WriteContext } from '@platform/writes';
import { accountNotFound } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toRegisteredCluster } from './convert.ts';
import { type RequestedCluster, requestedCluster } from './requested-cluster.ts';
import { clusterTable, type DescribedCluster, isOneTooMany, keepKubeconfig, putCluster } from './store.ts';

/**
 * Imports a cluster under the acting account. All failures of the first contact have one answer: it must not tell what
 * is at an address that only this process reaches.
 */
export function importCluster(parts: Parts): Handler<typeof ClusterServiceService.importCluster> {
  const most = parts.config.clustersUnproven;
  return (request, context) => put(parts, context.account, request, context, {
    noContact: (cause) => {
      if (remaining(context.deadline) <= 0 || context.cancelled.aborted) return cause;
      context.log.info({ error: cause }, 'a cluster to import could not be asked');
      return new Fault('BAD_UPSTREAM', 'the kubeconfig leads to no Kubernetes API server that answers it', { cause });
    },
    refuse: (work, uid) => refuseUnproven(work, context.account.id, uid, most),
  });
}

/** Imports a cluster under any account, for the operator, who is told why a cluster could not be asked. */
export function importClusterAsOperator(parts: Parts): Handler<typeof ClusterAdminServiceService.importCluster> {
  return async (request, context) => {
    const owner = await parts.accounts.byName(request.owner!, context);
    if (owner === undefined) throw accountNotFound(request.owner!);
    return await put(parts, owner, request, context, {
      noContact: async (cause, access) => {
        if (remaining(context.deadline) <= 0 || context.cancelled.aborted) return cause;
        const why = await explainContact(access, cause, parts.outbound, context.deadline);
        return new Fault('BAD_UPSTREAM', why, { cause });
      },
    });
  };
}

/** What differs between a customer's import and the operator's. */
interface Differing {
  /** What is thrown when the cluster could not be asked. */
  readonly noContact: (cause: unknown, access: ClusterAccess) => unknown;
  /** Refuses a cluster that is imported without a kubeconfig, in the transaction of the import. */
  readonly refuse?: (work: Queryable, uid: string) => Promise<void>;
}

async function put(
  { database, definitions, write, sealer, outbound }: Parts,
  owner: { readonly id: number; readonly name: string },
  request: ImportClusterRequest,
  context: WriteContext,
  { noContact, refuse }: Differing,
): Promise<RegisteredCluster> {
  const requested = requestedCluster(request);
  // Before the transaction: the cluster may take seconds to answer.
  const found = await describe(requested, { definitions, outbound, noContact }, context.deadline);
  const { name, displayName, provider, kubeconfig } = requested;
  const imported = { ownerId: owner.id, name, displayName, provider, ...found };
  const row = await nameClosedOwners(database, clusterTable, [owner.id], context.deadline, () =>
    write(context, [], async (work) => {
      if (requested.access === undefined) await refuse?.(work, found.uid);
      const put = await putCluster(work, imported);
      if (kubeconfig !== undefined) await keepKubeconfig(work, sealer, put.id, kubeconfig);
      return put;
    })).catch((error: unknown) => {
    if (error instanceof CheckViolation && error.constraint === 'cluster_hub_owner') throw hubOfAnother();
    if (!(error instanceof UniqueViolation)) throw error;
    throw alreadyExists('the account has another cluster of this name', error);
  });
  return toRegisteredCluster(row, owner.name);
}

/** The hub of a client organization is reached with the kubeconfig of the account that the hub belongs to. */
function hubOfAnother(): Fault {
  const message = 'must be left out: this cluster is the hub of a client organization; '
    + 'import it for the account that the hub belongs to';
  return invalidValue([{ path: 'kubeconfig', message }]);
}

/**
 * Refuses a further cluster that an account has not shown to hold (open-points 6.5).
 * @throws Fault TOO_MANY_ITEMS
 */
async function refuseUnproven(work: Queryable, ownerId: number, uid: string, most: number): Promise<void> {
  if (await isOneTooMany(work, ownerId, uid, most)) {
    throw new Fault('TOO_MANY_ITEMS', `the account has ${most} clusters without a kubeconfig that have not reported`);
  }
}

type Describing = Pick<Parts, 'definitions' | 'outbound'> & Pick<Differing, 'noContact'>;

/** UID and description of the cluster: its own word where it can be asked. A hub gets the definitions that it lacks. */
async function describe(
  { access, uid, mustBeHub }: RequestedCluster, { definitions, outbound, noContact }: Describing, deadline: Deadline,
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
    throw invalidValue([{ path: 'hub', message: 'the cluster does not run Open Cluster Management' }]);
  }
  if (mustBeHub) await installDefinitions(cluster, definitions, deadline);
  return { uid: actual, described };
}
