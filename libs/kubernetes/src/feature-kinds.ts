import { type Kind, type KubernetesObject, requiringSpec, withSpec } from './kinds.ts';
import { count, flag, listOf, mapOf, object, text } from './shape.ts';

const uiGroup = 'ui.k8s.appscode.com';
const profileGroup = 'profile.k8s.appscode.com';

/** The Helm chart of a feature, with the source from which Flux loads the chart. */
export interface Chart {
  readonly name: string;
  readonly namespace?: string;
  readonly createNamespace?: boolean;
  readonly version?: string;
  readonly sourceRef: {
    readonly apiGroup?: string;
    readonly kind?: string;
    readonly name: string;
    readonly namespace?: string;
  };
  readonly valuesFiles?: readonly string[];
}

const chart = object({ version: text });

export interface FeatureSet extends KubernetesObject {
  readonly spec: {
    readonly title: string;
    readonly description: string;
    readonly recommended?: boolean;
    readonly disabled?: boolean;
    readonly requiredFeatures?: readonly string[];
  };
}

export const featureSets: Kind<FeatureSet> = {
  group: uiGroup, version: 'v1alpha1', kind: 'FeatureSet', plural: 'featuresets',
  fits: requiringSpec(object(
    { recommended: flag, disabled: flag, requiredFeatures: listOf(text) }, { title: text, description: text },
  )),
};

export interface Feature extends KubernetesObject {
  readonly spec: {
    readonly title: string;
    readonly description: string;
    readonly featureSet: string;
    readonly featureBlock?: string;
    /** Name of a group. At most one feature of each group can be installed. */
    readonly featureExclusionGroup?: string;
    readonly recommended?: boolean;
    readonly disabled?: boolean;
    readonly requirements?: { readonly features?: readonly string[] };
    readonly chart?: Chart;
    readonly values?: unknown;
  };
}

export const features: Kind<Feature> = {
  group: uiGroup, version: 'v1alpha1', kind: 'Feature', plural: 'features',
  fits: requiringSpec(object({
    featureBlock: text, featureExclusionGroup: text, recommended: flag, disabled: flag, chart,
    requirements: object({ features: listOf(text) }),
  }, { title: text, description: text, featureSet: text })),
};

/** A feature that a profile or a profile binding requests. */
export interface WantedFeature {
  readonly featureSet?: string;
  readonly chart?: Chart;
  readonly values?: unknown;
}

const wanted = mapOf(object({ featureSet: text, chart }));

/** The features of a cluster set. The profile has the name of the set. */
export interface ManagedClusterSetProfile extends KubernetesObject {
  readonly spec?: { readonly features?: Readonly<Record<string, WantedFeature>> };
}

export const managedClusterSetProfiles: Kind<ManagedClusterSetProfile> = {
  group: profileGroup, version: 'v1alpha1', kind: 'ManagedClusterSetProfile', plural: 'managedclustersetprofiles',
  fits: withSpec(object({ features: wanted })),
};

/** The features of one managed cluster. The binding is in the namespace with the name of this cluster. */
export interface ManagedClusterProfileBinding extends KubernetesObject {
  readonly spec: {
    readonly profileRef: { readonly name: string };
    readonly clusterMetadata: {
      readonly uid: string;
      readonly name: string;
      readonly clusterManagers: readonly string[];
    };
    readonly opscenterFeaturesVersion?: string;
    readonly features?: Readonly<Record<string, WantedFeature>>;
  };
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly observedOpscenterFeaturesVersion?: string;
  };
}

export const managedClusterProfileBindings: Kind<ManagedClusterProfileBinding> = {
  group: profileGroup, version: 'v1alpha1', kind: 'ManagedClusterProfileBinding',
  plural: 'managedclusterprofilebindings',
  fits: requiringSpec(
    object({ opscenterFeaturesVersion: text, features: wanted }, { profileRef: object({}, { name: text }) }),
    object({ phase: text, observedGeneration: count, observedOpscenterFeaturesVersion: text }),
  ),
};

/** The feature whose chart version is shown as the version of a cluster set (open-points 12.3). */
export const leadingFeature = 'opscenter-features';
