import { ApiException } from '@kubernetes/client-node';
import { Fault, unavailable } from '@platform/faults';
import { type Deadline, deadlineIn, type Logger, loop } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import type { KubernetesObject } from './kinds.ts';
import { pathOfGroup, pathOfKind, readList, type WholeList } from './pages.ts';

export interface Resource {
  /** Name of the API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name, for example `deployments`. */
  readonly name: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/** Finds the resource of a kind. Returns undefined if the cluster does not serve the kind. */
export async function findResource(
  cluster: ClusterConnection, { group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>,
  deadline: Deadline,
): Promise<Resource | undefined> {
  const answer = await cluster.get(pathOfGroup(group, version), {}, deadline).catch((error: unknown) => {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  });
  type Served = { resources?: readonly { name: string; kind: string; namespaced: boolean }[] } | null;
  const served = answer?.body as Served | undefined;
  const found = served?.resources?.find((one) => one.kind === kind && !one.name.includes('/'));
  if (found === undefined) return undefined;
  return { group, version, kind, name: found.name, scope: found.namespaced ? 'Namespaced' : 'Cluster' };
}

export async function readResource<Kept>(
  cluster: ClusterConnection, resource: Resource, keep: (object: KubernetesObject) => Kept, deadline: Deadline,
): Promise<WholeList<Kept>> {
  const query = { keep: (object: unknown) => keep(object as KubernetesObject), unbounded: true };
  return await readList(cluster, pathOfKind(resource, resource.name), query, deadline);
}

/**
 * Receives the objects of a resource. If a method throws, the watch ends. After a pause, a new watch starts. Usually,
 * the list is read again first.
 */
export interface ObjectListener<Kept> {
  /** Returns the data that the listener needs. The object itself is not kept in memory. */
  keep(object: KubernetesObject): Kept;
  /** Receives all objects of a list. They replace all objects received before. */
  listed(objects: readonly Kept[]): void;
  changed(object: Kept): void;
  deleted(object: Kept): void;
}

export interface ObjectWatch extends AsyncDisposable {
  /** Milliseconds since the last list, event or regular end of a watch; Infinity before the first list. */
  silentFor(): number;
}

/** Time limit for reading all pages of a list, in milliseconds. */
const listMs = 120_000;
/** The pause between the regular end of a watch and the start of the next watch, in milliseconds. */
const againMs = 200;

/**
 * Reads the list of a resource, and then watches for changes. Each new watch continues after the last received change.
 * If changes may be missing, for example after status 410, the list is read again.
 */
export function watchObjects<Kept>(
  cluster: ClusterConnection, resource: Resource, listener: ObjectListener<Kept>, log: Logger,
): ObjectWatch {
  let version: string | undefined;
  let heardAt = -Infinity;
  const watching = loop(`watch ${resource.name}`, againMs, async (stopping) => {
    if (version === undefined) {
      const list = await readResource(cluster, resource, listener.keep, deadlineIn(listMs, stopping));
      if (list.version === '') throw unavailable(`the list of ${resource.name}`);
      listener.listed(list.objects);
      version = list.version;
      heardAt = performance.now();
    }
    const end = await cluster.watch(pathOfKind(resource, resource.name), version, ({ type, object }) => {
      heardAt = performance.now();
      const next = object.metadata?.resourceVersion;
      if (type !== 'BOOKMARK') {
        const kept = listener.keep(object as KubernetesObject);
        if (type === 'DELETED') listener.deleted(kept);
        else listener.changed(kept);
      }
      version = next ?? version;
    }, stopping).catch((error: unknown) => {
      // After an unexpected answer, changes may be missing, so read the list again.
      if (!(error instanceof Fault) || error.reason === 'BAD_UPSTREAM') version = undefined;
      throw error;
    });
    if (end === 'expired') version = undefined;
    else heardAt = performance.now();
  }, log);
  return {
    silentFor: () => performance.now() - heardAt,
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}
