import type { KubernetesObject, ObjectMeta, Resource } from '@platform/kubernetes';

/** The fields that the agent keeps in memory for each Kubernetes object. */
export interface Kept {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** `metadata.creationTimestamp` (RFC 3339); empty if absent. */
  readonly createdAt: string;
  /** UID of the controller of the object; undefined if there is none. */
  readonly controller: string | undefined;
}

/** Kubernetes quantities, such as `500m` or `1Gi`. */
type Amounts = { readonly cpu?: string; readonly memory?: string };

export interface Container {
  readonly name: string;
  readonly limits: Amounts;
  readonly requests: Amounts;
}

/** An object that runs pods, directly or through other objects. */
export interface Workload extends Kept {
  readonly resource: Resource;
  readonly generation: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Number of replicas. Undefined if the object states no number and has no pod template. Then events contain the
   * number of its pods.
   */
  readonly replicas: number | undefined;
  /** Containers of the object's pod template; undefined if the object has no pod template. */
  readonly containers: readonly Container[] | undefined;
  /** Names of the persistent volume claims in the object's pod template. */
  readonly claimNames: readonly string[];
  /** Templates of the claims that are created for each replica. */
  readonly claimTemplates: readonly { readonly name: string; readonly storage: string }[];
}

export interface Pod extends Kept {
  readonly containers: readonly Container[];
  readonly claimNames: readonly string[];
  readonly ended: boolean;
}

export interface Claim extends Kept {
  readonly storage: string;
}

export interface Namespace extends Kept {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function readKept({ metadata }: KubernetesObject): Kept {
  const { uid, name, namespace = '', creationTimestamp = '' } = metadata;
  const { ownerReferences } = metadata as ObjectMeta & { ownerReferences?: { uid: string; controller?: boolean }[] };
  const controller = ownerReferences?.find((owner) => owner.controller === true)?.uid;
  return { uid: uid ?? '', name, namespace, createdAt: creationTimestamp, controller };
}

interface PodSpec {
  readonly containers?: readonly RawContainer[];
  readonly initContainers?: readonly (RawContainer & { readonly restartPolicy?: string })[];
  readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName?: string } }[];
}

interface RawContainer {
  readonly name?: string;
  readonly resources?: { readonly limits?: Amounts; readonly requests?: Amounts };
}

interface RawClaim {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly resources?: { readonly requests?: { readonly storage?: string } } };
}

interface RawWorkload extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: unknown;
    readonly template?: { readonly spec?: PodSpec };
    readonly volumeClaimTemplates?: readonly RawClaim[];
  };
  readonly status?: { readonly desiredNumberScheduled?: number };
}

/** Reads any object as a workload. If the object has no pod template, `totalOf` counts the containers of its pods. */
export function readWorkload(resource: Resource, object: KubernetesObject): Workload {
  const { metadata, spec, status } = object as RawWorkload;
  const template = spec?.template?.spec;
  const templates = spec?.volumeClaimTemplates;
  const declared = status?.desiredNumberScheduled ?? (resource.kind === 'DaemonSet' ? 0 : spec?.replicas);
  return {
    ...readKept(object), resource, generation: metadata.generation,
    labels: metadata.labels ?? {},
    replicas: isCount(declared) ? declared : Array.isArray(template?.containers) ? 1 : undefined,
    containers: Array.isArray(template?.containers) ? containersOf(template) : undefined,
    claimNames: claimNamesOf(template),
    claimTemplates: (Array.isArray(templates) ? templates as readonly RawClaim[] : []).map((claim) =>
      ({ name: claim.metadata?.name ?? '', storage: storageOf(claim) })),
  };
}

export function readPod(object: KubernetesObject): Pod {
  const { spec, status } = object as KubernetesObject & { spec?: PodSpec; status?: { phase?: string } };
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return { ...readKept(object), containers: containersOf(spec), claimNames: claimNamesOf(spec), ended };
}

export function readClaim(object: KubernetesObject): Claim {
  return { ...readKept(object), storage: storageOf(object as RawClaim) };
}

/** @param domain the setting `labels.domain`. Labels and annotations of other domains are left out */
export function readNamespace(domain: string, object: KubernetesObject): Namespace {
  const own = (all: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(`${domain}/`)));
  const { labels, annotations } = object.metadata;
  return { ...readKept(object), labels: own(labels), annotations: own(annotations) };
}

/** The containers that run as long as the pod, including sidecars: init containers that Kubernetes always restarts. */
function containersOf(spec: PodSpec | undefined): readonly Container[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...spec?.containers ?? [], ...sidecars].map(({ name = '', resources }) =>
    ({ name, limits: amountsOf(resources?.limits), requests: amountsOf(resources?.requests) }));
}

function amountsOf({ cpu, memory }: Amounts = {}): Amounts {
  return { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
}

function claimNamesOf(spec: PodSpec | undefined): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
}

function storageOf(claim: RawClaim): string {
  return claim.spec?.resources?.requests?.storage ?? '0';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
