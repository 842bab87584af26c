import { at, type JsonObject, objectOf, short, shortAt, textAt } from './json.ts';
import { readQuantity } from './quantity.ts';

/** The part of an event that billing reads (open-points 13.2). */
export interface Metered {
  readonly product: Product;
  /** `spec.uid` of the resource, otherwise the subject of the event. */
  readonly objectUid: string;
  /** CPU in billionths of a core. */
  readonly cpu: bigint;
  /** Memory in billionths of a byte. */
  readonly memory: bigint;
  /** Storage in billionths of a byte. */
  readonly storage: bigint;
  readonly replicas: number;
  /** `spec.mode`, otherwise `spec.cluster.mode` (open-points 13.2). Empty if neither is set. */
  readonly mode: string;
  readonly resourceTrial: boolean;
  readonly detail: Detail;
}

export interface Detail {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly namespaceUid: string;
  /** `spec.namespace.aceOrgID`: the client organization of the namespace. Empty if absent. */
  readonly clientOrgId: string;
  /** `metadata.creationTimestamp`, as sent; empty if absent. */
  readonly createdAt: string;
  readonly namespaceCreatedAt: string;
  readonly namespaceMetadata: JsonObject;
  /** `spec.pods`, as sent; empty if it is not a list. */
  readonly pods: readonly unknown[];
  /** `spec.storage`, as sent; empty if it is not a list. */
  readonly volumes: readonly unknown[];
}

/** Aliases of products whose use is metered. */
const products = ['productdb', 'productbackup', 'productvault', 'productingress', 'platform'] as const;
type Product = (typeof products)[number];

const specPath = 'data.resource.spec';
const metadataPath = 'data.resource.metadata';

/**
 * Reads the part of an event that billing needs. Returns undefined if the product is not metered, or if the kind of
 * the resource is not `GenericResource`.
 * @param subject of the event
 * @throws Malformed for an invalid amount, or for a text that is too long for {@link short}
 */
export function readMetered(productName: string, event: JsonObject, subject: string): Metered | undefined {
  const product = products.find((alias) => productName === alias || productName.startsWith(`${alias}-`));
  if (product === undefined || at(event, 'data', 'resource', 'kind') !== 'GenericResource') return undefined;
  const spec = objectOf(at(event, 'data', 'resource', 'spec')) ?? {};
  const namespace = objectOf(at(spec, 'namespace')) ?? {};
  const type = textAt(spec, 'apiType', 'kind') === '' ? 'data.resourceID' : `${specPath}.apiType`;
  const replicas = at(spec, 'replicas');
  const trial = at(namespace, 'enableResourceTrial');
  return {
    product,
    objectUid: shortAt(event, `${specPath}.uid`) || subject,
    cpu: amount(spec, 'cpu'), memory: amount(spec, 'memory'), storage: amount(spec, 'storage'),
    replicas: isCount(replicas) ? replicas : 0,
    // A long mode is valid, because every mode except `prod` is non-production (open-points 13.5). Store only the first
    // 100 characters.
    mode: (textAt(spec, 'mode') || textAt(spec, 'cluster', 'mode')).slice(0, 100).toWellFormed(),
    resourceTrial: trial === true || trial === 'true',
    detail: {
      group: shortAt(event, `${type}.group`),
      kind: shortAt(event, `${type}.kind`),
      name: shortAt(event, `${specPath}.name`, `${metadataPath}.name`),
      namespace: shortAt(event, `${specPath}.namespace.name`, `${metadataPath}.namespace`),
      namespaceUid: shortAt(event, `${specPath}.namespace.uid`),
      clientOrgId: short(idText(at(namespace, 'aceOrgID')), `${specPath}.namespace.aceOrgID`),
      createdAt: shortAt(event, `${metadataPath}.creationTimestamp`),
      namespaceCreatedAt: shortAt(event, `${specPath}.namespace.creationTimestamp`),
      namespaceMetadata: objectOf(at(namespace, 'aceOrgMetadata')) ?? {},
      pods: listAt(spec, 'pods'),
      volumes: listAt(spec, 'storage'),
    },
  };
}

/** The limit of `cpu`, `memory` or `storage`, otherwise the request; 0 if both are absent (open-points 7.3). */
function amount(spec: JsonObject, resource: string): bigint {
  for (const kind of ['limits', 'requests']) {
    const value = at(spec, 'totalResource', kind, resource) ?? null;
    if (value !== null) return readQuantity(value, `${specPath}.totalResource.${kind}.${resource}`);
  }
  return 0n;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
}

function idText(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}

function listAt(spec: JsonObject, key: string): readonly unknown[] {
  const list = at(spec, key);
  return Array.isArray(list) ? list : [];
}
