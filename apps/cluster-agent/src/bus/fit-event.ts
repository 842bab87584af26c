import type { QueuedEvent } from '../store/queue.ts';

/** If an event is too large, these parts of its resource are removed in this order, until the event fits. */
const optionalParts = [
  'spec.pods', 'spec.storage', 'metadata.labels', 'spec.namespace.aceOrgMetadata', 'kubernetes.controlPlane.dnsNames',
  'kubernetes.controlPlane.ipAddresses', 'kubernetes.storageProvisioners',
];

/**
 * A reduced event keeps only these parts of its resource (open-points 13.2). A part is left out if its value is a list
 * or an object.
 */
const countedParts = [
  ...['apiVersion', 'kind'],
  ...['name', 'namespace', 'uid', 'generation', 'creationTimestamp'].map((key) => `metadata.${key}`),
  ...['cluster.uid', 'cluster.mode', 'mode', 'name', 'uid', 'replicas'].map((key) => `spec.${key}`),
  ...['group', 'version', 'name', 'kind', 'scope'].map((key) => `spec.apiType.${key}`),
  ...['cpu', 'memory', 'storage'].flatMap((key) => ['limits', 'requests'].map((of) => `spec.totalResource.${of}.${key}`)),
  ...['uid', 'name', 'creationTimestamp', 'aceOrgID', 'enableResourceTrial'].map((key) => `spec.namespace.${key}`),
  ...['licenseID', 'productOwnerName', 'productOwnerUID', 'productName', 'productUID', 'version.version']
    .map((key) => `product.${key}`),
  ...['cluster.uid', 'cluster.mode', 'version.gitVersion', 'nodeStats.count', 'nodeStats.capacity.cpu',
    'nodeStats.capacity.memory'].map((key) => `kubernetes.${key}`),
];

/**
 * Maximum size of a text, in bytes, in an event that keeps only {@link countedParts}. A longer text is shortened, but
 * not removed. If `spec.mode` were removed, for example, the platform would use `spec.cluster.mode` in its place.
 */
const mostTextBytes = 512;
const keptCharacters = 128;

/**
 * Types of events that keep only {@link countedParts} if they are too large even without their optional parts. An
 * update that is too large is dropped, because later events describe the object again.
 */
const kept = /\.(?:created|deleted)\.v1$/;

type Tree = Record<string, unknown>;

/**
 * Removes optional parts of an event until it fits into a message. If it still does not fit, a creation or deletion
 * keeps only {@link countedParts}. With the same limit, an event and its repetition keep the same data, so the platform
 * recognizes the repetition.
 * @returns undefined if the event is still too large
 */
export function fitEvent(event: QueuedEvent, mostBytes: number): QueuedEvent | undefined {
  const { seq, text } = event;
  if (Buffer.byteLength(text) <= mostBytes) return event;
  const content = JSON.parse(text) as { type: string; data: { resource: Tree } };
  for (const path of optionalParts) {
    remove(content.data.resource, path.split('.'));
    const shorter = JSON.stringify(content);
    if (Buffer.byteLength(shorter) <= mostBytes) return { seq, text: shorter };
  }
  if (!kept.test(content.type)) return undefined;
  content.data.resource = counted(content.data.resource);
  const shortest = JSON.stringify(content);
  return Buffer.byteLength(shortest) <= mostBytes ? { seq, text: shortest } : undefined;
}

function counted(resource: Tree): Tree {
  const result: Tree = {};
  for (const path of countedParts) {
    const keys = path.split('.');
    const value = at(resource, keys);
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const parent = keys.slice(0, -1).reduce<Tree>((tree, key) => (tree[key] ??= {}) as Tree, result);
    const isLong = typeof value === 'string' && Buffer.byteLength(value) > mostTextBytes;
    parent[keys.at(-1)!] = isLong ? value.slice(0, keptCharacters).toWellFormed() : value;
  }
  return result;
}

function remove(from: object, path: readonly string[]): void {
  const parent = at(from, path.slice(0, -1));
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, path.at(-1)!);
}

function at(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Tree | null | undefined)?.[key], from);
}
