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
  /** The resources of a client organization on a spoke, published by clusters under the id of the pair. */
  client_cluster: {
    readonly id: number;
    readonly organizationId: number;
    /** Lower case. */
    readonly clusterUid: string;
    /** For billing: annotations of its namespaces, by their full names (open-points 4.1). */
    readonly metadata: Readonly<Record<string, string>>;
  };
  /** Contracts, published by contracts-licensing under their id; a deleted one stays, with the moment. */
  contract: {
    readonly id: number;
    readonly ownerId: number;
    readonly name: string;
    /** Alias of the product. */
    readonly product: string;
    /** RFC3339, as all times here. */
    readonly start: string;
    readonly end: string;
    readonly revokedAt: string | null;
    readonly deletedAt: string | null;
    readonly enableClientBilling: boolean;
    /** Null where the quota is not enabled. */
    readonly quota: { readonly metric: string; readonly limit: number } | null;
  };
  /** Clusters bound to contracts, published by contracts-licensing under the id of the binding; a removed one stays. */
  contract_cluster: {
    readonly id: number;
    readonly contractId: number;
    /** Lower case. */
    readonly clusterUid: string;
    readonly removedAt: string | null;
  };
  /** Licences that were issued or registered, published by contracts-licensing under their serial. */
  licence: {
    /** The serial, decimal: it has 63 bits. */
    readonly id: string;
    readonly ownerId: number;
    readonly clusterUid: string;
    /** 0 for a trial; null for a licence that was not issued by the platform. */
    readonly contractId: number | null;
    /** `productdb-enterprise` */
    readonly plan: string;
    readonly features: readonly string[];
    readonly notBefore: string;
    readonly notAfter: string;
    readonly createdAt: string;
    readonly registeredAt: string | null;
  };
  /**
   * How much of a quota of usage is used, published by billing-dashboard under the id of the contract. It changes with
   * each whole per cent, with the month and with the quota.
   */
  quota_use: {
    readonly contractId: number;
    /** UTC: `2026-11` */
    readonly month: string;
    /** Of the quota that was compared with. */
    readonly metric: 'memory_gib_month' | 'cpu_core_month';
    readonly limit: number;
    /** When `percent` changed last. */
    readonly used: number;
    /** Rounded down; 100 at most. */
    readonly percent: number;
  };
  /**
   * When a cluster last reported, published by billing-dashboard under `<owner id>/<UID>`: an event is a contact
   * (open-points 13.5). It changes at most once a minute.
   */
  cluster_contact: {
    /** The account under which it reports. */
    readonly ownerId: number;
    /** Lower case. */
    readonly clusterUid: string;
    /** RFC3339: the end of the minute in which its last event arrived. */
    readonly lastAt: string;
  };
}

export type FactKind = keyof FactKinds;
