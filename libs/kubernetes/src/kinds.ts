import { count, type Fits, flag, listOf, mapOf, object, text } from './shape.ts';

/** A kind of Kubernetes objects (open-points 12.1). */
export interface Kind<Item extends KubernetesObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Checks the fields that the code reads. Users can import any server, so objects from a cluster are not trusted. */
  readonly fits: Fits;
  /** Never set at run time: it only carries the type of the objects. */
  readonly item?: Item;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export interface KubernetesObject {
  readonly metadata: ObjectMeta;
}

const metadata = object({
  namespace: text, uid: text, resourceVersion: text, generation: count, deletionTimestamp: text, labels: mapOf(text),
  annotations: mapOf(text), finalizers: listOf(text),
}, { name: text });

export const anyObject = object({}, { metadata });

export function withSpec(spec: Fits, status: Fits = object({})): Fits {
  return object({ spec, status }, { metadata });
}

export function requiringSpec(spec: Fits, status: Fits = object({})): Fits {
  return object({ status }, { metadata, spec });
}

export interface Condition {
  readonly type: string;
  readonly status: string;
}

const conditions = listOf(object({ type: text, status: text, observedGeneration: count }));

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const clusterGroup = 'cluster.open-cluster-management.io';

export interface ManagedCluster extends KubernetesObject {
  readonly spec?: {
    readonly hubAcceptsClient?: boolean;
    readonly managedClusterClientConfigs?: readonly { readonly url?: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly version?: { readonly kubernetes?: string };
    readonly clusterClaims?: readonly { readonly name: string; readonly value?: string }[];
  };
}

export const managedClusters: Kind<ManagedCluster> = {
  group: clusterGroup, version: 'v1', kind: 'ManagedCluster', plural: 'managedclusters',
  fits: withSpec(
    object({ hubAcceptsClient: flag, managedClusterClientConfigs: listOf(object({ url: text })) }),
    object({
      conditions, version: object({ kubernetes: text }), clusterClaims: listOf(object({ value: text }, { name: text })),
    }),
  ),
};

export interface ManagedClusterSet extends KubernetesObject {
  readonly spec?: {
    readonly clusterSelector?: {
      /** Default: `ExclusiveClusterSetLabel`. */
      readonly selectorType?: string;
      readonly labelSelector?: LabelSelector;
    };
  };
}

export const managedClusterSets: Kind<ManagedClusterSet> = {
  group: clusterGroup, version: 'v1beta2', kind: 'ManagedClusterSet', plural: 'managedclustersets',
  fits: withSpec(object({
    clusterSelector: object({
      selectorType: text,
      labelSelector: object({
        matchLabels: mapOf(text),
        matchExpressions: listOf(object({ values: listOf(text) }, { key: text, operator: text })),
      }),
    }),
  })),
};

/** Makes a cluster set usable in a namespace. The binding has the name of the set. */
export interface ManagedClusterSetBinding extends KubernetesObject {
  readonly spec?: { readonly clusterSet?: string };
}

export const managedClusterSetBindings: Kind<ManagedClusterSetBinding> = {
  group: clusterGroup, version: 'v1beta2', kind: 'ManagedClusterSetBinding', plural: 'managedclustersetbindings',
  fits: withSpec(object({ clusterSet: text })),
};

/** Label of a ManagedCluster: the name of the exclusive cluster set that the cluster belongs to. */
export const clusterSetLabel = `${clusterGroup}/clusterset`;
/** Name of the cluster claim that contains the UID of the namespace `kube-system` of a managed cluster. */
export const clusterUidClaim = 'id.k8s.io';
/** Type of the condition that says whether a ManagedCluster has joined the hub. */
export const joinedCondition = 'ManagedClusterJoined';
/** Type of the condition that says whether a ManagedCluster is available. */
export const availableCondition = 'ManagedClusterConditionAvailable';
/** Name of the set of the clusters that belong to no other exclusive cluster set. */
export const defaultSet = 'default';
/** Name of the set of all clusters. */
export const globalSet = 'global';

/**
 * A set of objects that the hub maintains or reads on a managed cluster. The ManifestWork itself is on the hub, in the
 * namespace of that cluster.
 */
export interface ManifestWork extends KubernetesObject {
  readonly spec: {
    readonly workload: { readonly manifests: readonly object[] };
    readonly manifestConfigs?: readonly ManifestConfig[];
  };
  readonly status?: {
    readonly conditions?: readonly (Condition & { readonly observedGeneration?: number; readonly message?: string })[];
    readonly resourceStatus?: {
      readonly manifests?: readonly {
        /** `ordinal`: index among the manifests. */
        readonly resourceMeta: { readonly ordinal: number };
        readonly conditions?: readonly Condition[];
        readonly statusFeedback?: {
          readonly values?: readonly { readonly name: string; readonly fieldValue: { readonly string?: string } }[];
        };
      }[];
    };
  };
}

export const manifestWorks: Kind<ManifestWork> = {
  group: 'work.open-cluster-management.io', version: 'v1', kind: 'ManifestWork', plural: 'manifestworks',
  fits: withSpec(object({}), object({
    conditions,
    resourceStatus: object({
      manifests: listOf(object({
        conditions,
        statusFeedback: object({ values: listOf(object({}, { name: text, fieldValue: object({ string: text }) })) }),
      }, { resourceMeta: object({}, { ordinal: count }) })),
    }),
  })),
};

/** Settings for one object of a ManifestWork. The spoke only reads the object, and reports some of its fields. */
export interface ManifestConfig {
  readonly resourceIdentifier: {
    readonly group: string;
    readonly resource: string;
    readonly name: string;
    readonly namespace?: string;
  };
  /** `ReadOnly`: the object is read but never written or deleted. */
  readonly updateStrategy: { readonly type: 'ReadOnly' };
  readonly feedbackRules: readonly {
    readonly type: 'JSONPaths';
    readonly jsonPaths: readonly { readonly name: string; readonly path: string }[];
  }[];
}
