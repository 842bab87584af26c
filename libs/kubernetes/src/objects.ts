import { ApiException, CoreV1Api, CustomObjectsApi } from '@kubernetes/client-node';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import { anyObject, type Kind, type KubernetesObject } from './kinds.ts';
import { pathOfKind, readList } from './pages.ts';
import { codeOf, readStatus, unexpected, unlessMissing } from './translate-failure.ts';

/** Identifies this platform as the field manager of the fields that it writes. */
export const fieldManager = 'platform';
const patchType = 'application/json-patch+json';
const attempts = 3;

type AnyKind = Pick<Kind<KubernetesObject>, 'group' | 'version' | 'kind' | 'plural'>;

/** The key of an object. Without a namespace, the object is cluster-scoped. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/**
 * Lists the objects of a kind, all as they were at the same moment. Returns an empty list if the cluster does not serve
 * the kind.
 * @param options `namespace`: default all namespaces; `labelSelector` in the syntax of Kubernetes: `a=b,c`
 * @throws Fault BAD_UPSTREAM when an item is not an object of the kind; otherwise as {@link readList}
 */
export async function listObjects<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, deadline: Deadline,
  { namespace, ...options }: { readonly namespace?: string; readonly labelSelector?: string } = {},
): Promise<Item[]> {
  const keep = (object: unknown) => {
    if (!kind.fits(object)) throw notThe(kind.kind);
    return object as Item;
  };
  const path = pathOfKind(kind, kind.plural, namespace);
  return (await readList(cluster, path, { ...options, keep }, deadline)).objects;
}

const namespaces: Kind<KubernetesObject> = {
  group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', fits: anyObject,
};

export async function listNamespaces(cluster: ClusterConnection, deadline: Deadline): Promise<string[]> {
  return (await listObjects(cluster, namespaces, deadline)).map(({ metadata }) => metadata.name);
}

export async function hasNamespace(cluster: ClusterConnection, name: string, deadline: Deadline): Promise<boolean> {
  const found = await cluster.call(CoreV1Api, (core) => core.readNamespace({ name }), deadline).catch(unlessMissing);
  return found !== undefined;
}

/** A valid name of an object (RFC 1123). Another text, such as `..`, could change the path of the request. */
const objectName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Reads one object. Returns undefined if the name is invalid, the object does not exist, or the cluster does not serve
 * the kind.
 */
export async function findObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, { name, namespace }: ObjectKey, deadline: Deadline,
): Promise<Item | undefined> {
  if (!objectName.test(name)) return undefined;
  const key = { ...pathOf(kind), name };
  const found = await cluster.call(CustomObjectsApi, (api) => (namespace === undefined
    ? api.getClusterCustomObject(key)
    : api.getNamespacedCustomObject({ ...key, namespace })), deadline).catch(unlessMissing) as Item | undefined;
  return found === undefined ? undefined : requireNamed(kind, name, found);
}

/**
 * @throws Conflicted if the object exists; Fault INVALID_VALUE if the cluster does not know the kind or refuses the
 *   object, CONFLICT if the namespace of the object is missing
 */
export async function createObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, item: Item, deadline: Deadline,
): Promise<Item> {
  const { name, namespace } = item.metadata;
  const body = { ...pathOf(kind), body: typed(kind, item), fieldManager };
  const created = await cluster.call(CustomObjectsApi, (api) => (namespace === undefined
    ? api.createClusterCustomObject(body)
    : api.createNamespacedCustomObject({ ...body, namespace })), deadline)
    .catch((error: unknown) => refuseWrite(kind, error)) as Item;
  return requireNamed(kind, name, created);
}

/**
 * Applies fields of an object (server-side apply). Creates the object if it does not exist. Removes fields that earlier
 * calls applied and this call leaves out, unless another field manager also owns them. If the metadata of `item` has a
 * `uid` or a `resourceVersion`, an existing object must have the same one.
 * @throws Conflicted if an existing object has another `uid` or `resourceVersion`; Fault INVALID_VALUE if the cluster
 *   does not know the kind or refuses the object, CONFLICT if the namespace of the object is missing
 */
export async function applyObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, item: KubernetesObject & Partial<Item>, deadline: Deadline,
): Promise<Item> {
  const { name, namespace } = item.metadata;
  const body = { ...pathOf(kind), name, body: typed(kind, item), fieldManager, force: true };
  const applied = await cluster.call(CustomObjectsApi, (api) => (namespace === undefined
    ? api.patchClusterCustomObject(body)
    : api.patchNamespacedCustomObject({ ...body, namespace })), deadline, 'application/apply-patch+yaml')
    .catch((error: unknown) => refuseWrite(kind, error)) as Item;
  return requireNamed(kind, name, applied);
}

/** One step of a JSON patch (RFC 6902). */
export type PatchStep =
  | { readonly op: 'test' | 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

export function labelPath(label: string): string {
  return `/metadata/labels/${escaped(label)}`;
}

export function annotationPath(annotation: string): string {
  return `/metadata/annotations/${escaped(annotation)}`;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Changes single fields of a cluster-scoped object. Changes of other fields at the same time cause no conflict.
 * @throws Conflicted if a step `test` fails, the object does not exist, or the server answers with 409 or 422
 */
export async function patchObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, { name }: ObjectKey, steps: readonly PatchStep[], deadline: Deadline,
): Promise<void> {
  const body = { ...pathOf(kind), name, body: steps, fieldManager };
  await cluster.call(CustomObjectsApi, (api) => api.patchClusterCustomObject(body), deadline, patchType)
    .catch((error: unknown) => {
      // The API server answers 422 if a step `test` fails.
      if ([404, 409, 422].includes(codeOf(error) ?? 0)) throw new Conflicted();
      throw unexpected(error);
    });
}

/**
 * Replaces an object with `item`. `item` is a changed copy of the object that was read.
 * @throws Conflicted if the object has changed or was deleted since it was read; Fault INVALID_VALUE if the cluster
 *   refuses the object
 */
export async function replaceObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, item: Item, deadline: Deadline,
): Promise<void> {
  const { name, namespace } = item.metadata;
  const body = { ...pathOf(kind), name, body: typed(kind, item), fieldManager };
  await cluster.call(CustomObjectsApi, (api) => (namespace === undefined
    ? api.replaceClusterCustomObject(body)
    : api.replaceNamespacedCustomObject({ ...body, namespace })), deadline)
    .catch((error: unknown) => {
      // The object was deleted after it was read.
      if (codeOf(error) === 404) throw new Conflicted();
      return refuseWrite(kind, error);
    });
}

/**
 * Deletes an object, identified by its UID if it has one. A missing object is not an error.
 * @throws Conflicted if another object now has this name
 */
export async function deleteObject<Item extends KubernetesObject>(
  cluster: ClusterConnection, kind: Kind<Item>, { metadata: { name, namespace, uid } }: Item, deadline: Deadline,
): Promise<void> {
  const key = { ...pathOf(kind), name, ...(uid === undefined ? {} : { body: { preconditions: { uid } } }) };
  await cluster.call(CustomObjectsApi, (api) => (namespace === undefined
    ? api.deleteClusterCustomObject(key)
    : api.deleteNamespacedCustomObject({ ...key, namespace })), deadline)
    .catch((error: unknown) => (codeOf(error) === 409 ? Promise.reject(new Conflicted()) : unlessMissing(error)));
}

/** The object already exists, or was changed or deleted after it was read. Read it again and retry. */
export class Conflicted extends Error {
  override readonly name = 'Conflicted';
}

/**
 * Runs `act`, which reads, decides and writes. Retries after a conflict, up to three attempts in all.
 * @throws Fault CONFLICT after the third conflict (open-points 12.4)
 */
export async function withoutConflict<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Conflicted)) throw error;
      if (attempt === attempts) throw new Fault('CONFLICT', 'the objects of the hub keep changing, try again');
    }
  }
}

function pathOf({ group, version, plural }: AnyKind) {
  return { group, version, plural };
}

function typed({ group, version, kind }: AnyKind, item: object): object {
  return { apiVersion: `${group}/${version}`, kind, ...item };
}

function requireNamed<Item extends KubernetesObject>({ kind, fits }: Kind<Item>, name: string, item: Item): Item {
  if (!fits(item) || item.metadata.name !== name) throw notThe(`${kind} ${name}`);
  return item;
}

/** Users can import any server as a cluster, so an answer may lack the expected object. */
function notThe(object: string): Fault {
  return new Fault('BAD_UPSTREAM', `the cluster did not return a valid ${object}`);
}

function refuseWrite({ kind, group }: AnyKind, error: unknown): never {
  if (!(error instanceof ApiException)) throw error;
  if (error.code === 409) throw new Conflicted();
  const { message = 'it is invalid', missingNamespace } = readStatus(error.body);
  // The hub creates the namespace of a cluster shortly after it accepts the cluster.
  if (missingNamespace) throw new Fault('CONFLICT', 'the namespace of the cluster does not exist yet, try again');
  throw new Fault('INVALID_VALUE', error.code === 422
    ? `the cluster refuses this ${kind}: ${message.slice(0, 1_000)}`
    : `the cluster has no definition of ${kind} (${group}); import the cluster as hub again`);
}
