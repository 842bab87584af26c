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
  /** Clusters, published by clusters under their UID. */
  cluster: {
    readonly id: number;
    /** Lower case. */
    readonly uid: string;
    readonly ownerId: number;
    readonly name: string;
    readonly displayName: string;
  };
}

export type FactKind = keyof FactKinds;
