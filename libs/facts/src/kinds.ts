/**
 * The facts that services publish, by kind. Triggers in the publisher's migrations write them as JSON of this shape.
 * Shapes only grow (ADR 0039): a follower may run an older or newer version than the publisher.
 */
export interface FactKinds {
  /** Users and organizations, published by orgs-teams under their id. */
  account: {
    readonly id: number;
    /** The name in URLs. */
    readonly slug: string;
    readonly kind: 'person' | 'organization';
    /** Empty where the account has none. */
    readonly email: string;
  };
  /** Imported clusters, published by clusters under their id: several accounts may import the same cluster. */
  cluster: {
    readonly id: number;
    /** Lower case. */
    readonly uid: string;
    readonly ownerId: number;
    readonly name: string;
    readonly displayName: string;
    readonly provider: string;
    /** Empty while unknown. */
    readonly kubernetesVersion: string;
    readonly nodeCount: number;
    /** It runs Open Cluster Management. */
    readonly hub: boolean;
    /** RFC3339. */
    readonly createdAt: string;
    /** RFC3339; null while the platform has not heard of it. */
    readonly lastContactAt: string | null;
  };
}

export type FactKind = keyof FactKinds;
