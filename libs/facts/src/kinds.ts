/**
 * The facts that services publish, by kind. Each fact is stored as JSON with these fields. A follower may run an older
 * or newer version than the publisher. So a new version must not remove or change fields (ADR 0039). Times are RFC3339.
 * UIDs are in lower case.
 */
export interface FactKinds {
  /** Users and organizations, published by orgs-teams under their id. */
  account: {
    readonly id: number;
    /** The name in URLs. */
    readonly slug: string;
    readonly kind: 'person' | 'organization';
    /** Empty if the account has no e-mail address. */
    readonly email: string;
  };
  /** Imports of clusters, published by the service `clusters` under the id of the import. */
  cluster: {
    readonly id: number;
    readonly uid: string;
    readonly ownerId: number;
    readonly name: string;
    readonly displayName: string;
    readonly provider: string;
    /** Empty while unknown. */
    readonly kubernetesVersion: string;
    readonly nodeCount: number;
    /** Whether the cluster is a hub of Open Cluster Management. */
    readonly hub: boolean;
    readonly createdAt: string;
    /** When a call to the cluster last succeeded; null before the first success. Events of the cluster do not count. */
    readonly lastContactAt: string | null;
  };
  /**
   * Client organizations on spokes: one fact for each pair of an organization and a spoke. The service `clusters`
   * publishes the fact under the id of the pair.
   */
  client_cluster: {
    readonly id: number;
    readonly organizationId: number;
    readonly clusterUid: string;
    /** Annotations of the form `client.<labels.domain>/…`, by full name, for billing (open-points 4.1). */
    readonly metadata: Readonly<Record<string, string>>;
  };
  /** Contracts, published by contracts-licensing under their id. The fact of a deleted contract stays. */
  contract: {
    readonly id: number;
    readonly ownerId: number;
    readonly name: string;
    /** Alias of the product. */
    readonly product: string;
    readonly start: string;
    readonly end: string;
    readonly revokedAt: string | null;
    readonly deletedAt: string | null;
    readonly enableClientBilling: boolean;
    /** Null if the quota of the contract is not enabled. */
    readonly quota: { readonly metric: string; readonly limit: number } | null;
  };
  /**
   * Clusters bound to contracts, published by contracts-licensing under the id of the binding. The fact of a removed
   * binding stays.
   */
  contract_cluster: {
    readonly id: number;
    readonly contractId: number;
    readonly clusterUid: string;
    readonly removedAt: string | null;
  };
  /** Licences that were issued or registered, published by contracts-licensing under their serial. */
  licence: {
    /** The serial as a decimal text, because it may have up to 63 bits. */
    readonly id: string;
    readonly ownerId: number;
    readonly clusterUid: string;
    /** Id of the contract; 0 for a trial licence; null for a licence that this platform did not issue. */
    readonly contractId: number | null;
    /** Name of the plan, such as `productdb-enterprise`. */
    readonly plan: string;
    readonly features: readonly string[];
    readonly notBefore: string;
    readonly notAfter: string;
    readonly createdAt: string;
    readonly registeredAt: string | null;
  };
  /**
   * How much of a usage quota is used. billing-dashboard publishes the fact under the id of the contract. The fact
   * changes when the percentage, the month or the quota changes.
   */
  quota_use: {
    readonly contractId: number;
    /** The month in UTC, such as `2026-11`. */
    readonly month: string;
    readonly metric: 'memory_gib_month' | 'cpu_core_month';
    readonly limit: number;
    /** The usage when the fact last changed. */
    readonly used: number;
    /** The used share of the quota in percent, rounded down; at most 100. */
    readonly percent: number;
  };
  /**
   * When a cluster last reported. billing-dashboard publishes the fact under `<owner id>/<UID>`. Every event counts as
   * a contact (open-points 13.5). The fact changes at most once a minute.
   */
  cluster_contact: {
    /** Id of the account under which the events of the cluster arrive. */
    readonly ownerId: number;
    readonly clusterUid: string;
    /** When the last event of the cluster arrived, rounded up to the end of the minute. */
    readonly lastAt: string;
  };
}

export type FactKind = keyof FactKinds;
