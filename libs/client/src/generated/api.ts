// Generated from the OpenAPI document by `npm run generate -- --golden`. Do not edit.

/** The code of an invitation, and the account to create if the invited address has none. */
export interface AcceptTeamInvitationFields {
  /** Login of the new account, a slug of at most 40 characters. Required if the invited address has no account. */
  username?: string | null;
  /** Full name of the new account, at most 100 characters. */
  full_name?: string | null;
}

/** An access token. Times are unix seconds. */
export interface AccessTokenInfo {
  id: number;
  uid: number;
  name: string;
  /** The value of the token, in the response to the creation of the token; empty in all other responses. */
  token: string;
  tokenLastEight: string;
  createdAt: number;
  updatedAt: number;
  /** Used within the last 7 days. */
  hasRecentActivity: boolean;
  /** Used at least once. */
  hasUsed: boolean;
  /** 0: never expires. */
  expDate: number;
  /** What the token may do, in ascending order: `all`, or scopes such as `read:contract`. */
  scopes: readonly string[];
}

/** A cluster from which events arrived. Times are in Unix seconds. */
export interface ActiveCluster {
  /** Slug of the account. */
  username: string;
  /** UUID of the cluster. */
  clusterID: string;
  firstReceivedAt: number;
  lastReceivedAt: number;
  /** Number of active contracts of the account that the cluster is bound to. */
  noOfAssociatedContracts: number;
}

/** A licence under which events arrived. */
export interface ActiveLicense {
  /** Slug of the account. */
  username: string;
  email: string;
  userId: number;
  licenseID: string;
  firstReceivedAt: number;
  lastReceivedAt: number;
}

/** The spoke to add. Its hub must be the hub with which the client organization was created. */
export interface AddClusterParamsInput {
  /** Slug of the account that has imported the hub. */
  hubClusterOwnerName: string;
  /** The name that the owner gave the hub. */
  hubClusterName: string;
  /** UUID of the hub. */
  hubClusterUID: string;
  /** Name of the spoke on the hub. */
  spokeClusterName: string;
  /** Annotations of the client organization's namespaces on this spoke. */
  annotations?: Record<string, string> | null;
  /** Where the databases of the client organization run. */
  dbConfig?: DbConfigInput | null;
  /** Whether the organization has a gateway. If false, the other gateway fields are ignored. */
  useGateway?: boolean | null;
  /** Configuration of the organization's own gateway. */
  gatewayConfig?: Record<string, unknown> | null;
  /** The gateway of another client organization. Must be absent if `gatewayConfig` is given. If both are absent, t… */
  gatewayPresetRef?: GatewayRefInput | null;
  /** Where the telemetry of the client organization is sent. */
  telemetryParams?: TelemetryParamsInput | null;
}

/** A user to create. */
export interface AddSiteUserFields {
  /** Slug. */
  username: string;
  /** One e-mail address; several users may have the same address. */
  email: string;
  /** Up to 100 characters. */
  full_name?: string | null;
  /** The user is a site admin. */
  admin?: boolean | null;
  /** False: the tokens of the user are refused with `unauthenticated`. Default: true. */
  active?: boolean | null;
  /** True: the user may not sign in, and the user's tokens are refused with `account_disabled`. */
  prohibit_login?: boolean | null;
  /** Whether the user may create organizations; true when left out. */
  allow_create_organization?: boolean | null;
}

/** An e-mail domain. */
export interface AllowedDomainInput {
  name?: string | null;
}

/** What the caller may do with an object. */
export interface AllowedPermissions {
  /** As in the request. */
  objectType: string;
  /** As in the request. */
  objectID: number;
  /** The caller's `can_*` relations on the object, such as `can_edit`, in alphabetical order. */
  allowedPermissions: readonly string[];
}

/** An amount of CPU and memory, in the units of the view. */
export interface Amounts {
  cpu: number;
  memory: number;
}

/** A refusal. */
export interface ApiError {
  /** For people; may change. */
  message: string;
  /** Address of the API reference. */
  url: string;
  /** For programs; stable. */
  code: string;
  /** Identifies the request in the logs. */
  requestId: string;
  /** The problems of the request, if they are known. */
  errors?: readonly {
    /** JSON path in the body, or name of a parameter. */
    path: string;
    message: string;
  }[];
  /** The error of a marketplace that refused the request. */
  origErr?: Record<string, never>;
}

/** The address to mail a sign-in link to. */
export interface AskForSignInFields {
  /** E-mail address of an account. */
  email: string;
}

/** A cluster that is bound to active contracts. */
export interface AssociatedCluster {
  /** Ids of the active contracts that the cluster is bound to, ascending. */
  associatedContractIDs: readonly number[];
  /** UUID of the cluster. */
  cluster: string;
  /** Name of the cluster in the contract that ends last. */
  displayName: string;
  /** Tags of the cluster in these contracts, each once. */
  tags: readonly string[];
}

/** A permission that is related to another permission. */
export interface AssociatedPermission {
  namespace: string;
  action: string;
  /** The other permission is of little use without this permission. */
  required: boolean;
}

/** Who made a change: an account, the operator, or the platform itself. */
export interface AuditActor {
  /** 0 for the operator and for the platform itself. */
  id: number;
  /** Name of the account at that time; `operator` or `platform` if there is no account. */
  login: string;
}

/** A recorded event of a contract. */
export interface AuditEvent {
  id: number;
  contractID: number;
  /** Login of the account that caused the event, or `system`. */
  addedBy: string;
  /** The kind of event, such as `contract.created`. Some kinds have a value after a space, such as the UUID of the… */
  event: string;
  /** Unix seconds. */
  createdUnix: number;
}

/** The events of a subscription. */
export interface AuditLogs {
  /** By month: `2026-11`. */
  auditReports: Record<string, readonly MarketplaceAuditEvent[]>;
}

/** The object that was changed. */
export interface AuditObject {
  /** `organization`, `user`, `team`, `role`, `token`, `session`, `bus_account`, `webhook`, `site` or `key`. Object… */
  type: string;
  /** 0 for an object that has only a name. */
  id: number;
  /** The current name, or the name in the record of the change; empty if neither is known. */
  name: string;
}

/** One change, stored in the transaction that made it. */
export interface AuditRecord {
  id: number;
  createdAt?: string;
  /** Who made the change. */
  actor?: AuditActor;
  /** The channel of the change: a token, a browser, the operator's command line, or a service of the platform. */
  via: 'token' | 'session' | 'cli' | 'service';
  /** Slug of the organization in which the change happened. Absent if there is none, or it was deleted. */
  organization?: string;
  /** Such as `organization.create`, `user.update`, `token.revoke`. */
  action: string;
  object?: AuditObject;
  /** What changed. Contains no secret. */
  details?: Record<string, unknown>;
  /** Source address of the request; absent if the address is unknown. */
  address?: string;
}

/** An authority, without its key. */
export interface Authority {
  /** SHA-256 of the certificate's DER, in lower-case hexadecimal. */
  fingerprint: string;
  /** Unix seconds. */
  notBefore: number;
  /** Unix seconds. */
  notAfter: number;
  signs: boolean;
  /** The certificate. */
  pem: string;
}

/** The metrics may be read. */
export interface AuthorizeAnswer {
  /** Slug of the owner. */
  owner: string;
  clusterName: string;
  /** The tenant under which the metrics are stored. */
  tenantID: string;
  /** `true` if the owner is a client organization. */
  clientOrg?: string;
}

/** Whether every cluster has the wanted version. If not, no update can be started. */
export interface AutoUpdateCheck {
  possible: boolean;
}

/** A permission that a custom role can grant. */
export interface AvailablePermission {
  /** `org_mgmt`, `team_mgmt`, `role_mgmt`, `token_mgmt`, `cluster_mgmt` or `contract_mgmt`. */
  namespace: string;
  action: string;
  /** One sentence that describes the permission. */
  description: string;
  /** Related permissions. They are informative: the server neither requires nor adds them. */
  associated?: readonly AssociatedPermission[];
}

/** The identity of a registered backend. */
export interface BackendContextInput {
  hubUID?: string | null;
  /** UUID of the cluster. Default: the cluster for which the caller's token was created. */
  clusterUID?: string | null;
  projectId?: string | null;
  clientOrgID?: string | null;
  default?: boolean | null;
  /** Accepted, but has no effect. */
  issueToken?: boolean | null;
}

/** The address of a Prometheus server, and the credentials for the server. */
export interface BackendInput {
  /** http or https address without user information. Has priority over `service`. */
  url?: string | null;
  /** A service in the cluster in which the platform runs. */
  service?: ServiceAddressInput | null;
  basicAuth?: BasicAuthInput | null;
  bearerToken?: string | null;
  tls?: TlsInput | null;
}

/** User and password. */
export interface BasicAuthInput {
  username?: string | null;
  password?: string | null;
}

/** The provider whose user to bind to the caller's account, and the page to return to. */
export interface BindIdentityFields {
  /** Path of the page to return to, beginning with `/`. Default: `/account`. */
  to?: string | null;
}

/** The names of a namespace on the hub and of a cluster set. */
export interface BindNamespaceOptionsInput {
  /** Name of the set: a DNS label. */
  clusterSet: string;
  /** Name of the namespace: a DNS label. */
  namespace: string;
}

/** The download link of an installer that is bound to a cluster. */
export interface BoundInstaller {
  /** Download link of the installer. It expires two hours after its creation. */
  link: string;
}

/** The look of the site and the type of its deployment. */
export interface Branding {
  /** Data URI. */
  logo: string;
  /** Size (`16x16`, `32x32`, `180x180`) to data URI of a PNG. */
  favicons: Record<string, string>;
  /** `#rrggbb`. */
  primaryColor: string;
  runMode: 'prod' | 'dev' | 'test';
  deploymentType: 'Hosted' | 'SelfHostedProduction' | 'CloudDemo' | 'OnpremDemo' | 'KubeAppDemo' | 'ProviderAMarketplace' | 'ProviderBMarketplace' | 'ProviderCMarketplace';
  isOfflineInstaller: boolean;
  showAppTag: boolean;
  appName: string;
}

/** A change of the look of the site. */
export interface BrandingOptionsInput {
  /** Data URI or base64 of PNG, JPEG, GIF or SVG, at most 512 KiB decoded; or empty. */
  logo?: string | null;
  /** Same format as `logo`. The favicons are made from this picture. */
  favicon?: string | null;
  /** `#rrggbb`, or empty. */
  primaryColor?: string | null;
  showAppTag?: boolean | null;
  /** 1-50 characters, or empty. */
  appName?: string | null;
}

/** A message-bus account. */
export interface BusAccount {
  id: number;
  uid: number;
  /** Always `user`. */
  accountType: 'user';
  /** Public user key. */
  busPubKey: string;
  clusterID: string;
  productName: string;
  revoked: boolean;
}

/** The credentials of a new bus account. No other response contains them. */
export interface BusTokenCreated {
  id: number;
  /** Public user key (`U…`). */
  busPubKey: string;
  /** Text of a `.creds` file. */
  creds: string;
}

/** The user to change, and the changes. */
export interface ChangeSiteUserFields {
  /** Up to 100 characters. */
  full_name?: string | null;
  /** One e-mail address; several users may have the same address. */
  email?: string | null;
  active?: boolean | null;
  /** Whether the user is a site admin. True adds the user to the owners of the administrative organization. False … */
  admin?: boolean | null;
  prohibit_login?: boolean | null;
  allow_create_organization?: boolean | null;
}

/** Whether there is an organization to claim, and its claim id. */
export interface ClaimCheck {
  isClaimable: boolean;
  /** Empty if no organization can be claimed. */
  claimID: string;
}

/** Whether the organization can be claimed. */
export interface ClaimableCheck {
  isClaimable: boolean;
  /** Claim id of the request. */
  claimID: string;
}

/** The organization, which the caller now owns. */
export interface ClaimedOrganization {
  id: number;
  username: string;
  full_name: string;
  avatar_url: string;
  description: string;
  website: string;
  location: string;
  managerManagementClusterEndPoint: string;
  visibility: 'public' | 'limited' | 'private';
  orgType: number;
  claimID: string;
  claimedAt?: string;
}

/** The account of the client organization to create. */
export interface ClientOrgInput {
  /** Slug in lower case: a DNS label of up to 40 characters. Reserved names such as `create` are refused. Names th… */
  orgName: string;
  orgFullName?: string | null;
  description?: string | null;
  website?: string | null;
  location?: string | null;
  /** Empty or `client`. */
  orgType?: string | null;
  /** `public`, `limited` or `private`; `private` when empty. */
  visibility?: string | null;
  /** Endpoint of the multi-cluster manager. Required if the organization gets a sync token. */
  managerManagementClusterEndPoint?: string | null;
  /** Generate a random sync token if `managerSyncToken` is absent. */
  provideSyncToken?: boolean | null;
  managerSyncToken?: ManagerSyncTokenInput | null;
}

/** A client organization to create. */
export interface ClientOrgParamsInput {
  clientOrg: ClientOrgInput;
  /** UUID of the hub. */
  hubClusterUID: string;
  /** Slug of the account that has imported the hub. */
  hubClusterOwnerName: string;
  userPermission: UserOptionsInput;
  /** Annotations of the client organization's namespaces. */
  annotations?: Record<string, string> | null;
  /** Where the databases of the client organization run. */
  dbConfig?: DbConfigInput | null;
  /** Whether the organization has a gateway. If false, the other gateway fields are ignored. */
  useGateway?: boolean | null;
  /** Whether other client organizations may use the gateway in `gatewayConfig`. */
  usableAsShared?: boolean | null;
  /** Configuration of the organization's own gateway. */
  gatewayConfig?: Record<string, unknown> | null;
  /** The gateway of another client organization. Must be absent if `gatewayConfig` is given. If both are absent, t… */
  gatewayConfigRef?: GatewayRefInput | null;
  /** Where the telemetry of the client organization is sent. */
  telemetryParams?: TelemetryParamsInput | null;
}

/** The status of a client organization, or of one of its clusters. */
export interface ClientOrgStatus {
  status: 'Active' | 'Deleting' | 'Partially Deleted' | 'Deleted' | 'NotFound';
}

/** A cluster, and contracts to bind it to. */
export interface ClusterAssignmentInput {
  /** UUID of the cluster. */
  clusterId: string;
  /** Up to 100 characters. */
  displayName?: string | null;
  /** Ids of active contracts of the account: at least one and at most 100, each once. */
  contractIds: readonly number[];
}

/** Clusters for which the status is read. */
export interface ClusterBatchInput {
  /** UUIDs, at most 1000. */
  clusters: readonly string[];
}

/** A change of a cluster. Absent fields stay unchanged. */
export interface ClusterChangeInput {
  /** Up to 100 characters. */
  displayName?: string | null;
  /** A kubeconfig for the same cluster. It replaces the stored kubeconfig, if any. The rules for an import apply. */
  kubeconfig?: string | null;
}

/** A cluster as the REST API shows it. */
export interface ClusterInfo {
  id: number;
  displayName: string;
  name: string;
  /** UUID of the cluster. */
  uid: string;
  /** Id of the account that imported the cluster. */
  ownerID: number;
  /** Slug of the account that imported the cluster. */
  ownerName: string;
  /** Where the cluster runs, as given in its import; `Generic` if unknown. */
  provider: string;
  kubernetesVersion: string;
  nodeCount: number;
  /** Time of the import, RFC3339. For a cluster that is not imported, the time of its first licence or event. */
  createdAt: string;
  /** State of the cluster: `{"phase": "Active"}`. Other phases: `Registered`, `NotConnected`, `Lost`, `NotImported… */
  status?: Record<string, unknown>;
}

/** A cluster to import. */
export interface ClusterInput {
  /** 1 to 100 characters. Unique among the clusters of the account. */
  name: string;
  /** Up to 100 characters. If absent, a known display name stays unchanged. */
  displayName?: string | null;
  /** Where the cluster runs. If absent, a known cluster keeps its provider, and a new cluster gets `Generic`. */
  provider?: string | null;
  /** UUID of the cluster; required without a kubeconfig. */
  uid?: string | null;
  /** A kubeconfig in YAML or JSON. The platform stores it encrypted and never returns it. The platform refuses, fo… */
  kubeconfig?: string | null;
  /** True: the import fails if the cluster does not run Open Cluster Management. Needs a kubeconfig. */
  hub?: boolean | null;
}

/** The billable usage of an object in a month, by the mode of its cluster. */
export interface ClusterModeUsageRow {
  objectID: string;
  name: string;
  group: string;
  kind: string;
  namespace: string;
  clusterUID: string;
  clusterName: string;
  prod: Amounts;
  nonProd: Amounts;
  ownerID?: number;
  ownerName?: string;
}

/** The billable usage of each object in a month, by the mode of its cluster. */
export interface ClusterModesView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: ModeTotals;
  /** The rows, sorted by memory, the largest first. */
  rows: readonly ClusterModeUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** The new name of the cluster. */
export interface ClusterNameInput {
  /** 1 to 100 characters after trimming. */
  clusterName: string;
}

/** A cluster to bind to a contract. */
export interface ClusterReferenceInput {
  /** UUID of the cluster. It need not be imported. */
  cluster: string;
  /** Up to 100 characters. */
  displayName?: string | null;
  /** Up to 50, each up to 63 characters. */
  tags?: readonly string[] | null;
}

/** The name of a cluster set, and names of clusters. */
export interface ClusterSetOptionsInput {
  /** Name of the set: a DNS label. */
  clusterSet: string;
  /** Names of managed clusters, at most 1,000. Required for AddClusters and RemoveClusters. */
  clusters?: readonly string[] | null;
}

/** Whether the cluster is imported, and the tags of the cluster in the contract. */
export interface ClusterStatus {
  /** The owner of the contract has imported the cluster. */
  isImported: boolean;
  /** Name of the imported cluster. Empty if the cluster is not imported. */
  name: string;
  /** Tags of the cluster in the contract. */
  tags: readonly string[];
  /** Id of the contract; 0 if no binding was found. */
  associatedContractId: number;
}

/** Tags of a cluster. */
export interface ClusterTagsInput {
  /** Up to 50, each 1 to 63 characters after trimming. Duplicates are dropped. */
  tags: readonly string[];
}

/** The usage of a cluster in a month. */
export interface ClusterUsageRow {
  clusterUID: string;
  clusterName: string;
  provider: string;
  mode: string;
  objects: number;
  /** Only for `productdb`. */
  kinds?: readonly KindUsage[];
  usage: UsageAmounts;
  ownerID?: number;
  ownerName?: string;
}

/** The version on one cluster; empty while unknown. */
export interface ClusterVersion {
  name: string;
  version: string;
}

/** A cluster of a cluster set. */
export interface ClustersResp {
  name: string;
  /** Display name in the platform; empty if no account has imported the cluster. */
  displayName: string;
  /** Number of nodes; 0 while unknown. */
  clusterNode: number;
  provider: string;
  kubernetesVersion: string;
  /** An account of the platform has imported the cluster. */
  imported: boolean;
}

/** The usage of each cluster in a month. */
export interface ClustersUsageView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  /** `total` or `billable`. */
  viewType: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: UsageAmounts;
  /** The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together. */
  series: readonly UsageSeries[];
  /** The usage of each UTC day, by kind of billing. */
  days: readonly UsageDay[];
  /** The rows, sorted by memory, the largest first. */
  rows: readonly ClusterUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** A contract. */
export interface Contract {
  id: number;
  /** Id of the account that owns the contract. */
  uid: number;
  /** Slug of the account that owns the contract. */
  orgOrUser: string;
  name: string;
  /** Alias of the product. */
  product: string;
  /** Licensed features, sorted. */
  features: readonly string[];
  /** Clusters bound to the contract, by ascending id. */
  clusters: readonly ContractClusterStatus[];
  /** The requested cluster; only in responses of ListContractsOfCluster. */
  associatedCluster?: ContractClusterStatus;
  emails?: Emails;
  quota?: Quota;
  /** Unix seconds. The contract is active from this time. */
  start: number;
  /** Unix seconds. The contract is expired from this time. */
  end: number;
  /** `contracts/{id}/{uuid}{extension}`, or empty. */
  documentPath: string;
  /** Offline licences may be issued. */
  allowOffline: boolean;
  /** Clusters that the owner imports are bound automatically. */
  autoAssignCluster: boolean;
  /** Licences disable analytics. */
  disableAnalytics: boolean;
  /** Licences enable client billing. */
  enableClientBilling: boolean;
  /** No licence is issued under the contract, even between its start and end. */
  revoked: boolean;
  /** Empty, or a JSON object; copied into licences. */
  restrictions: string;
}

/** Status of a cluster in a contract. */
export interface ContractClusterStatus {
  /** Id of the cluster in the contract; 0 if no binding was found. */
  id: number;
  /** Id of the contract; 0 if no binding was found. */
  contractId: number;
  /** UUID of the cluster. */
  cluster: string;
  /** Name of the cluster in the contract. */
  displayName: string;
  clusterStatus?: ClusterStatus;
  /** Other active contracts of the contract's owner that have the cluster and license some of the same features. */
  duplicateContractFeatures: readonly DuplicateFeatures[];
  /** Always empty: if the status of a cluster cannot be read, the whole call fails. */
  error: string;
}

/** The usage of a cluster under a contract. */
export interface ContractClusterUsage {
  clusterUID: string;
  clusterName: string;
  usage: UsageAmounts;
}

/** The new end of a contract. Other fields of the body are ignored. */
export interface ContractEndInput {
  /** Unix seconds; after the contract's `start`. */
  end: number;
}

/** The usage under a contract in a month. */
export interface ContractUsageRow {
  /** 0: usage that no contract covers. */
  contractID: number;
  contractName: string;
  quota?: QuotaUse;
  clusters: readonly ContractClusterUsage[];
  usage: UsageAmounts;
  ownerID?: number;
  ownerName?: string;
}

/** The usage under each contract in a month. */
export interface ContractsUsageView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  /** `total` or `billable`. */
  viewType: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: UsageAmounts;
  /** The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together. */
  series: readonly UsageSeries[];
  /** The usage of each UTC day, by kind of billing. */
  days: readonly UsageDay[];
  /** The rows, sorted by memory, the largest first. */
  rows: readonly ContractUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** The access token to create. */
export interface CreateAccessTokenFields {
  /** Purpose of the token, 1 to 100 characters. */
  name: string;
  /** What the token may do: `all` (the default), or scopes such as `write:contract`, which includes `read:contract… */
  scopes?: readonly string[] | null;
  /** Expiry in unix seconds. 0: never. Must be within `tokens.longestLifetime`. Absent: `tokens.defaultLifetime`. */
  expDate?: number | null;
}

/** The bus account to create. */
export interface CreateBusTokenFields {
  /** UUID of the cluster, in upper or lower case. */
  clusterUID: string;
  /** 1 to 63 letters, digits, `-`, `_`; begins with a letter or digit. */
  productName: string;
}

/** The properties that all new contracts share, and the products. Each product gets a contract of its own. */
export interface CreateContractsFields {
  /** Id of the account that gets the contracts. */
  uid?: number | null;
  /** Slug of the account that gets the contracts; must agree with `uid`. */
  orgOrUser?: string | null;
  /** 1 to 100 characters after trimming. */
  name: string;
  /** Aliases of the products, each once, at most 20. */
  products: readonly string[];
  /** Licensed features. Every product must have all of them. Default: each contract gets all features of its produ… */
  features?: readonly string[] | null;
  /** Clusters to bind to each of the contracts, at most 1000. */
  clusters?: readonly ClusterReferenceInput[] | null;
  emails?: EmailsInput | null;
  quota?: QuotaInput | null;
  /** Unix seconds; now by default. */
  start?: number | null;
  /** Unix seconds; after `start` and in the future. */
  end: number;
  /** Offline licences may be issued. */
  allowOffline?: boolean | null;
  /** Clusters that the owner imports from now on are bound automatically. */
  autoAssignCluster?: boolean | null;
  /** Licences disable analytics. */
  disableAnalytics?: boolean | null;
  /** Licences enable client billing. */
  enableClientBilling?: boolean | null;
  /** Empty, or a JSON object with restrictions for kinds such as `Postgres`: `{Kind: {"versionConstraint": semver … */
  restrictions?: string | null;
}

/** An organization to create. */
export interface CreateOrganizationFields {
  /** Slug of 1-40 characters: ASCII letters and digits, with single `-`, `_` or `.` between them. */
  username: string;
  /** Name for people, up to 100 characters. */
  full_name?: string | null;
  /** Up to 255 characters. */
  description?: string | null;
  /** Empty, or an absolute http(s) URL of up to 255 characters. */
  website?: string | null;
  /** Up to 50 characters. */
  location?: string | null;
  /** `public`, `limited` or `private`: sets the visibility if `visibility` is empty or absent. */
  orgType?: 'public' | 'limited' | 'private' | null;
  /** Absolute https URL of the multi-cluster-manager, up to 255 characters. http is also accepted, except in run m… */
  managerManagementClusterEndPoint?: string | null;
  /** `public`, `limited` or `private`. If empty or absent: the value of `orgType`, or `public` without `orgType`. */
  visibility?: 'public' | 'limited' | 'private' | '' | null;
}

/** The endpoint to add. */
export interface CreateSiteWebhookFields {
  /** The https URL of a server on the internet. */
  url: string;
  /** The kinds of events to send, at least one. */
  events?: readonly ('member.added' | 'member.removed' | 'role.created' | 'role.updated' | 'role.deleted' | 'team.created' | 'team.updated' | 'team.deleted' | 'contract.created' | 'contract.extended' | 'contract.revoked' | 'contract.ending' | 'quota.threshold_reached' | 'license.issued' | 'license.ending' | 'cluster.imported' | 'cluster.removed' | 'cluster.lost' | 'subscription.state_changed' | 'usage.month_final')[] | null;
  /** Whether events are sent. Default: true. */
  active?: boolean | null;
}

/** A sync token to store. */
export interface CreateSyncTokenFields {
  /** Ignored. */
  id?: number | null;
  /** The access key id. If absent or empty, `sha1` contains `key:secret`. */
  name?: string | null;
  /** The secret access key. */
  sha1: string;
  /** Ignored. */
  token_last_eight?: string | null;
}

/** A team to create. */
export interface CreateTeamFields {
  /** 1 to 50 ASCII letters, digits, `-`, `_`, `.` and single inner spaces. Unique in the organization, ignoring ca… */
  name: string;
  /** Only `kubernetes`. */
  type: 'kubernetes';
  /** Up to 255 characters. */
  description?: string | null;
  /** `read`, `write` or `admin`. Default: `none` if the request contains `assignedRoleIDs`, otherwise `read`. */
  permission?: 'read' | 'write' | 'admin' | null;
  /** Ids of roles of the organization. The maximum is a setting of the platform, by default 10. */
  assignedRoleIDs?: readonly number[] | null;
}

/** The address to invite, and the team. */
export interface CreateTeamInvitationFields {
  /** E-mail address that gets the link. */
  email: string;
  /** Id of the team. */
  teamID: number;
}

/** A sync token to store. */
export interface CreateUserSyncTokenFields {
  /** Ignored. */
  id?: number | null;
  /** The access key id. If absent or empty, `sha1` contains `key:secret`. */
  name?: string | null;
  /** The secret access key. */
  sha1: string;
  /** Ignored. */
  token_last_eight?: string | null;
}

/** The token to create. */
export interface CreateUserTokenFields {
  /** Unique among the tokens of the user, 1 to 100 characters. */
  name: string;
  /** What the token may do: `all` (the default), or scopes such as `write:contract`, which includes `read:contract… */
  scopes?: readonly string[] | null;
  /** When the token expires. Absent: the settings `tokens.defaultLifetime` and `tokens.longestLifetime` decide. */
  expires_at?: string | null;
}

/** The endpoint to add. */
export interface CreateWebhookFields {
  /** The https URL of a server on the internet. */
  url: string;
  /** The kinds of events to send, at least one. */
  events?: readonly ('member.added' | 'member.removed' | 'role.created' | 'role.updated' | 'role.deleted' | 'team.created' | 'team.updated' | 'team.deleted' | 'contract.created' | 'contract.extended' | 'contract.revoked' | 'contract.ending' | 'quota.threshold_reached' | 'license.issued' | 'license.ending' | 'cluster.imported' | 'cluster.removed' | 'cluster.lost')[] | null;
  /** Whether events are sent. Default: true. */
  active?: boolean | null;
}

/** Who is signed in. */
export interface CurrentSession {
  user?: User;
  /** When the session or the token ends. Absent for a token that does not expire. An unused session ends earlier. */
  expiresAt?: string;
  /** How the user signed in. If the request contains an access token instead of a session cookie: `token`. */
  via: 'token' | 'mail' | 'oidc' | 'link';
}

/** A database. */
export interface DatabaseInfo {
  uid: string;
  group: string;
  kind: string;
  product: string;
  name: string;
  /** Unix seconds. */
  createdAt: number;
  /** Unix seconds; absent while the database exists. */
  deletedAt?: number;
}

/** Where databases run, in the format of Kubernetes. */
export interface DbConfigInput {
  nodeSelector?: Record<string, string> | null;
  tolerations?: readonly TolerationInput[] | null;
}

/** Names of clusters. Each cluster of the set is in exactly one of the first two lists. */
export interface DetailedSyncStatus {
  insyncClusters: readonly string[];
  outOfSyncClusters: readonly string[];
  /** The profile binding of these clusters has an entry for the feature, but the profile has no equal entry. The c… */
  unalignedClusters: readonly string[];
}

/** Another contract that licenses some of the same features for the cluster. */
export interface DuplicateFeatures {
  contractId: number;
  /** Alias of the product of the contract. */
  product: string;
  /** The common features, sorted. */
  features: readonly string[];
}

/** Duration of the outages of an account or a cluster. */
export interface DurationShare {
  entity: 'account' | 'cluster';
  /** Name of the account or cluster; its id if it has no name. */
  entityName: string;
  durationHours: number;
  percentage: number;
}

/** Recipients of mails about a contract. */
export interface Emails {
  contactPerson: readonly string[];
  signingAuthority: readonly string[];
  licenseUsers: readonly string[];
  financeTeam: readonly string[];
  usageAlertClient: readonly string[];
  /** In responses to site admins only. */
  usageAlertAdmin?: readonly string[];
}

/** Recipients of mails about a contract: at most 50 addresses in each list. In a change, absent lists stay unchang… */
export interface EmailsInput {
  contactPerson?: readonly string[] | null;
  signingAuthority?: readonly string[] | null;
  licenseUsers?: readonly string[] | null;
  financeTeam?: readonly string[] | null;
  /** A list of addresses, or a single address. */
  usageAlertClient?: readonly string[] | null;
  /** A list of addresses, or a single address. Only responses to site admins contain this list. */
  usageAlertAdmin?: readonly string[] | null;
}

/** The features that DisableFeatureSet removes from a cluster set. */
export interface EnableFeatureOptionsInput {
  /** Name of the cluster set, as in the path. */
  clusterSet: string;
  featureSet: string;
  /** Names of features. Empty: all features of the feature set. */
  features?: readonly string[] | null;
}

/** Number of distinct events, and when they happened. */
export interface EventsReport {
  userID: number;
  /** UUID of the cluster. */
  clusterID: string;
  licenseID: string;
  group: string;
  resource: string;
  resourceID: string;
  totalEvents: number;
  /** Times of the events, ascending. Only the latest 10,000 times are returned. */
  eventsTimeHistories: readonly string[];
  /** Hours from the first to the last event, with two decimals. */
  eventsDurationHours: number;
  /** Events per hour, with two decimals. A period below one hour counts as one hour. */
  averageEventsPerHour: number;
}

/** Whether the user has the relation, what grants it, and what would grant it. */
export interface Explanation {
  allowed: boolean;
  /** The user's teams in the organization. Empty for a site admin and for a user without a team. */
  principals: readonly ExplanationPrincipal[];
  /** Ways to get the relation, each as a text. Each way is sufficient. */
  wouldAllow: readonly string[];
}

/** A team through which the user acts. */
export interface ExplanationPrincipal {
  /** Name of the team. */
  team: string;
  /** Built-in right of the team: `owner`, `admin`, `write`, `read`, `none` or `custom`. */
  permission: string;
  /** Custom roles that the team has. */
  roles: readonly ExplanationRole[];
  /** The team grants the relation. */
  grants: boolean;
}

/** Id and name of a role. */
export interface ExplanationRole {
  id: number;
  name: string;
}

/** An object whose changes cannot be written to the authorization engine. */
export interface FailingUnit {
  organizationId: number;
  /** `team:42`, `role:9`, `assignment:9/42`, `organization:3` or `all`. */
  unit: string;
  attempts: number;
  cause: string;
}

/** A feature of a feature set. */
export interface FeatureInfo {
  name: string;
  title: string;
  description: string;
  recommended: boolean;
  /** The feature is in the profile of the cluster set. */
  installed: boolean;
  /** Section of the console that shows the feature; may be empty. */
  featureBlock: string;
}

/** A feature set of a hub. */
export interface FeatureSetInfo {
  name: string;
  title: string;
  description: string;
  recommended: boolean;
  /** Whether all required features are in the profile. If none are required: whether at least one of `features` is… */
  installed: boolean;
  requiredFeatures: readonly string[];
  features: readonly FeatureInfo[];
}

/** Versions of the feature `opscenter-features`. */
export interface FeaturesVersion {
  /** The wanted version; empty if there is none. */
  clusterSetVersion: string;
  clusters: readonly ClusterVersion[];
}

/** The code of the link in a sign-up mail. */
export type FinishSignUpFields = Record<string, never>;

/** A backend that is registered in flavor A. */
export interface FlavorAAnswer {
  flavora?: FlavorAConnection;
  /** Id of the folder at the dashboard. */
  folderID: number;
  /** Name of the datasource. */
  datasource: string;
}

/** The dashboard of flavor A, and the datasource of the backend. */
export interface FlavorAConnection {
  /** The public address of the dashboard. */
  url: string;
  /** A new token that can only read the backend's metrics. Absent unless `issueToken` is true in the request. */
  bearerToken?: string;
  dashboard?: FlavorADashboard;
}

/** Where to find the datasource in the dashboard. */
export interface FlavorADashboard {
  /** Name of the datasource. */
  datasource: string;
  /** Id of the folder at the dashboard. */
  folderID: number;
}

/** A backend that is registered in flavor B. */
export interface FlavorBAnswer {
  flavorb?: FlavorBConnection;
  projectName: string;
  folderName: string;
  /** Name of the datasource. */
  datasource: string;
}

/** The dashboard of flavor B, and the datasource of the backend. */
export interface FlavorBConnection {
  /** The public address of the dashboard. */
  url: string;
  /** A new token that can only read the backend's metrics. Absent unless `issueToken` is true in the request. */
  bearerToken?: string;
  dashboard?: FlavorBDashboard;
}

/** Where to find the datasource in the dashboard. */
export interface FlavorBDashboard {
  projectName: string;
  folderName: string;
  /** Name of the datasource. */
  datasource: string;
}

/** The gateway of another client organization. `name` is the name of that organization, `namespace` is `{name}-gw`. */
export interface GatewayRefInput {
  namespace: string;
  name: string;
}

/** The months with metered events. */
export interface GeneratedMonths {
  /** English names of months, by year. */
  yearMonthList: Record<string, readonly string[]>;
}

/** The administrative organization, the number of site admins, and the state of pending writes to the engine. */
export interface GetStatusAnswer {
  /** Number of changes of objects, such as teams, that are not yet written to the authorization engine. */
  pendingUnits: number;
  /** Age of the oldest of these changes, in seconds; 0 if there is none. */
  oldestPendingSeconds: number;
  /** Objects whose changes this replica failed to write. Only organizations with at least 10 failures in a row cou… */
  failingUnits: readonly FailingUnit[];
  /** Slug of the administrative organization. */
  administrativeOrganization: string;
  /** Number of site admins who can sign in. */
  siteAdmins: number;
}

/** The version. */
export interface GetVersionAnswer {
  /** Calendar version `v<year>.<month>.<count>`. */
  version: string;
}

/** The usage of a kind of object in a month. Kinds of different API groups have separate rows. */
export interface GroupKindUsageRow {
  group: string;
  kind: string;
  objects: number;
  clusters: number;
  usage: UsageAmounts;
  ownerID?: number;
  ownerName?: string;
}

/** The usage of each kind of object in a month. */
export interface GroupKindsUsageView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  /** `total` or `billable`. */
  viewType: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: UsageAmounts;
  /** The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together. */
  series: readonly UsageSeries[];
  /** The usage of each UTC day, by kind of billing. */
  days: readonly UsageDay[];
  /** The rows, sorted by memory, the largest first. */
  rows: readonly GroupKindUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** A licence in an installer. */
export interface InstalledLicense {
  /** Id of the contract. */
  contractID: number;
  /** UUID of the cluster. */
  clusterID: string;
  /** Serial of the certificate in decimal. */
  licenseID: string;
  planName: string;
  /** Unix seconds. */
  notAfter: number;
}

/** The usage of a kind of object in a cluster. */
export interface KindUsage {
  group: string;
  kind: string;
  objects: number;
  usage: UsageAmounts;
}

/** An issued licence. */
export interface License {
  contract?: LicensedContract;
  /** One PEM block `CERTIFICATE`. */
  license: string;
}

/** An installer, as a shell script and as manifests. Both contain the token or the licences: keep them secret. */
export interface LicenseProxyInstaller {
  /** `online` or `offline`. */
  flavor: 'online' | 'offline';
  /** Shell script that installs the chart with Helm 3. */
  helm3: string;
  /** Manifests that install the licence proxy with Flux, including a secret with the values of the Helm chart. */
  yaml: string;
  /** Licences in the installer; absent for an online installer. */
  licenses?: readonly InstalledLicense[];
}

/** The licences in the installer. If both fields are absent, the installer contains no licences. */
export interface LicenseProxyWishInput {
  /** UUID of the cluster. An empty text counts as absent. */
  clusterID?: string | null;
  /** Active contracts of the account that allow offline licences, at most 100. An empty list counts as absent. */
  contractIDs?: readonly number[] | null;
}

/** The wanted licence. */
export interface LicenseWishInput {
  /** UUID of the cluster. Absent or empty: the cluster for which the token was created, or else the only imported … */
  cluster?: string | null;
  /** Requested features. The licence has at least one of them. Empty: no feature is required. */
  features?: readonly string[] | null;
}

/** The contract of a licence. */
export interface LicensedContract {
  /** Id of the contract in decimal; `0` for a trial. */
  id: string;
  /** When the contract starts, RFC 3339; for a trial, when its first licence was issued. */
  startTimestamp: string;
  /** When the contract or the trial ends, RFC 3339. */
  expiryTimestamp: string;
}

/** A licence. */
export interface LicensedPlan {
  /** Id of the account. */
  uid: number;
  email: string;
  /** Serial of the certificate in decimal. */
  licenseID: string;
  /** UUIDs. */
  clusters: readonly string[];
  /** Such as `productdb-enterprise`. */
  planName: string;
  notBefore: number;
  notAfter: number;
  /** 0: the licence is not registered yet. */
  registeredAt: number;
  createdAt: number;
  updatedAt: number;
}

/** An account that has a licence. */
export interface LicensedUser {
  username: string;
  userType: 'user' | 'organization';
  email: string;
  userID: number;
  /** When the last event arrived, in Unix seconds; 0 if none has arrived. */
  lastReceivedAt: number;
}

/** The catalogue of permissions. */
export interface ListAvailablePermissionsAnswer {
  /** In the order of the catalogue. */
  permissions: readonly AvailablePermission[];
}

/** A cluster set in a list. */
export interface ListClusterSetResp {
  clusterSetName: string;
  /** Title for display; may be empty. */
  clusterSetTitle: string;
  /** Number of clusters in the set. */
  clusters: number;
}

/** An installer in a list for the operator or for site admins. */
export interface ListedInstaller {
  installerId: string;
  marketplace: string;
  name: string;
  /** Name of the owner at the time of creation. */
  owner: string;
  /** `Pending` or `Bound`. */
  state: string;
  /** UUID of the cluster that the installer is bound to. */
  clusterId?: string;
}

/** A refusal of an operation below `/marketplace/`. */
export interface ListenerError {
  /** For people; may change. */
  message: string;
  /** For programs; stable. */
  code: string;
  /** Identifies the request in the logs. */
  requestId: string;
}

/** A managed cluster of a hub. */
export interface ManagedClusterInfo {
  name: string;
  /** Address of the API server, as the hub knows it; may be empty. */
  clusterURL: string;
  /** UUID of the cluster; empty while unknown. */
  clusterUID: string;
  /** The exclusive cluster set of the cluster; empty if there is none. */
  clusterSet: string;
}

/** Credentials for the multi-cluster manager. */
export interface ManagerSyncTokenInput {
  managerSyncTokenAccessKeyID: string;
  managerSyncTokenSecretAccessKey: string;
}

/** An event of a subscription. */
export interface MarketplaceAuditEvent {
  marketplace: string;
  subscriptionID: string;
  status: 'success' | 'failure' | 'ignored';
  operationType: 'subscribe' | 'bind' | 'put' | 'delete' | 'revoke' | 'report-usage' | 'alert' | 'unknown';
  description: string;
  /** The request or the response, without secrets. */
  data?: Record<string, unknown>;
  timestamp?: string;
}

/** An amount. Exactly one of the two fields is set. */
export interface MeteredValueInput {
  /** An integer from 0 to 9223372036854775807, as a number or a string. An integer above 2^53-1 must be a string. */
  int64Value?: unknown;
  doubleValue?: number | null;
}

/** How long metrics are kept, by resolution. */
export interface MetricsRetentionPeriodsInput {
  rawsRetentionPeriod?: string | null;
  fiveMinuteRetentionPeriod?: string | null;
  oneHourRetentionPeriod?: string | null;
}

/** A metrics backend of a cluster. */
export interface MetricsproxyRegistrationInput {
  backend: BackendInput;
  /** UID of the cluster's hub; stored with the registration. */
  hubUID?: string | null;
  /** UUID of the cluster. Default: the cluster for which the caller's token was created. */
  clusterUID?: string | null;
  /** Project within the cluster: letters, digits and `-`, up to 63 characters. */
  projectId?: string | null;
  /** Decimal id of a client organization that has the cluster. If set, the backend belongs to this organization. */
  clientOrgID?: string | null;
  /** True: the backend belongs to the whole cluster, and `projectId` is ignored. */
  default?: boolean | null;
  /** True: the response contains a new token. The token belongs to the owner of the backend, and can only read the… */
  issueToken?: boolean | null;
}

/** A period of billable usage. In this period, the amounts of the object and the mode of its cluster stayed the sa… */
export interface ModeIntervalRow {
  from: string;
  to: string;
  mode: string;
  cpu: number;
  memory: number;
}

/** Billable usage in production clusters, and in all other clusters. */
export interface ModeTotals {
  prod: Amounts;
  nonProd: Amounts;
}

/** The amounts of an object over a month, in cores and GiB. */
export interface MonthHistory {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  object: ShownObject;
  /** In chronological order. */
  history: readonly ObjectHistoryRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** A namespace and its databases. Deleted databases are included for 6 months. */
export interface NamespaceReport {
  clusterInfo: ReportedCluster;
  namespaceInfo: ReportedNamespace;
  databases: readonly ReportedDatabase[];
}

/** Reports of namespaces, ordered by UUID of the cluster, then by name of the namespace. */
export interface NamespaceReports {
  namespaces: readonly NamespaceReport[];
  /** RFC3339. */
  generatedAt: string;
}

/** The usage of a namespace in a month. */
export interface NamespaceUsageRow {
  clusterUID: string;
  clusterName: string;
  namespace: string;
  namespaceUID: string;
  clientOrgID?: string;
  objects: number;
  usage: UsageAmounts;
  ownerID?: number;
  ownerName?: string;
}

/** The usage of each namespace in a month. */
export interface NamespacesUsageView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  /** `total` or `billable`. */
  viewType: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: UsageAmounts;
  /** The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together. */
  series: readonly UsageSeries[];
  /** The usage of each UTC day, by kind of billing. */
  days: readonly UsageDay[];
  /** The rows, sorted by memory, the largest first. */
  rows: readonly NamespaceUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** An outage to record. */
export interface NewOutageInput {
  /** Name of the user or organization that had the outage. */
  accountName?: string | null;
  /** Cluster that had the outage: any text of up to 128 characters. */
  clusterID?: string | null;
  /** RFC3339. */
  start: string;
  /** RFC3339, after `start`. */
  end: string;
  /** At most 20 tags, each 1 to 50 characters after trimming. Duplicates are dropped. */
  tags?: readonly string[] | null;
  /** Up to 2,000 characters. */
  comments?: string | null;
}

/** All stored amounts of an object over time, in cores and GiB. */
export interface ObjectHistory {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  object: ShownObject;
  /** In chronological order. */
  history: readonly ObjectHistoryRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
}

/** The state of an object in a period. The amounts are 0 if `event` is `deleted` or `stale`. */
export interface ObjectHistoryRow {
  from: string;
  /** Absent if the period has not ended. */
  to?: string;
  cpu: number;
  memory: number;
  storage: number;
  replicas: number;
  mode: string;
  /** Why the period began: `created`, `updated`, `deleted` or `stale`. */
  event: string;
}

/** An object, by type and id. */
export interface ObjectIdentifierInput {
  /** `user`, `organization`, `team`, `cluster`, `contract`, `robot_ac` or `token`. */
  objectType: string;
  /** Id of the object, at least 1. For `user`, the id of the caller. */
  objectID: number;
}

/** The billable usage of an object in a month. `intervals` is in cores and GiB, `totals` in the units of `units`. */
export interface ObjectModesView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  object: ShownObject;
  /** In chronological order. */
  intervals: readonly ModeIntervalRow[];
  /** The sum of all rows. */
  totals: ModeTotals;
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** The usage of an object in a month. */
export interface ObjectUsageRow {
  objectID: string;
  group: string;
  kind: string;
  name: string;
  namespace: string;
  namespaceUID: string;
  clusterUID: string;
  clusterName: string;
  mode: string;
  usage: UsageAmounts;
  ownerID?: number;
  ownerName?: string;
}

/** The usage of each object in a month. */
export interface ObjectsUsageView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  /** `total` or `billable`. */
  viewType: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: UsageAmounts;
  /** The usage by UTC days: a series for each of the 50 largest rows, and a series for all other rows together. */
  series: readonly UsageSeries[];
  /** The usage of each UTC day, by kind of billing. */
  days: readonly UsageDay[];
  /** The rows, sorted by memory, the largest first. */
  rows: readonly ObjectUsageRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** An organization. */
export interface Organization {
  id: number;
  /** Slug, with upper and lower case as given. */
  username: string;
  full_name: string;
  /** URL of the organization's picture, never empty. */
  avatar_url: string;
  description: string;
  website: string;
  location: string;
  /** Endpoint of the multi-cluster-manager, or empty. */
  managerManagementClusterEndPoint: string;
  /** `public`, `limited` or `private`. */
  visibility: 'public' | 'limited' | 'private';
  /** 0: ordinary, 1: with a multi-cluster-manager, 2: client, 6: administrative. */
  orgType: number;
}

/** Whether sign-up is disabled. */
export interface OrgsRegistration {
  disableRegistration: boolean;
}

/** A recorded outage. */
export interface Outage {
  id: number;
  accountName?: string;
  /** 0 if the outage names no account. */
  accountID: number;
  clusterID?: string;
  start?: string;
  end?: string;
  tags?: readonly string[];
  comments?: string;
  createdAt?: string;
}

/** A summary of outages. Hours have two decimals. Percentages have one decimal. The percentages of a list add up t… */
export interface OutageReport {
  totalOutages: number;
  totalDurationHours: number;
  /** Share of each tag in all uses of tags, in percent. */
  topTagsPercentage: readonly TagShare[];
  /** Share of each account in the hours of all outages, in percent. */
  topAccountsDuration: readonly DurationShare[];
  /** Share of each cluster in the hours of all outages, in percent. */
  topClustersDuration: readonly DurationShare[];
}

/** The report, and the outages that match the filters. */
export interface OutageReportAnswer {
  report?: OutageReport;
  /** By descending start. */
  entries: readonly Outage[];
}

/** A parked message: a message that is not counted, or that counts only from a time after its event. */
export interface ParkedEvent {
  id: number;
  /** NATS subject of the message. */
  subject: string;
  /** `malformed` (also if the event could not be stored), `future`, `late` or `late_change`. */
  reason: string;
  /** `malformed`: the problem. `future` and `late`: the time of the event. `late_change`: the time of the event, t… */
  detail: string;
  /** When the bus stored the message, RFC3339. */
  receivedAt: string;
  /** The first 2,000 characters of the message. */
  data: string;
}

/** The part of an object that is shown in lists. */
export interface PartialResource {
  /** `{"apiVersion", "kind", "metadata": {"name", "namespace", "uid", "generation", "labels", "annotations", "crea… */
  partialObjectMeta?: Record<string, unknown>;
}

/** A permission of the catalogue: a namespace and an action. */
export interface Permission {
  namespace?: string;
  action?: string;
}

/** A permission of the catalogue: a namespace and an action. */
export interface PermissionInput {
  namespace: string;
  action: string;
}

/** The question whether a user has a relation to an object. */
export interface PermissionQuestionInput {
  /** Login of a user. */
  username: string;
  /** `organization`, `team`, `role`, `cluster`, `contract` or `token`. */
  objectType: string;
  /** Id of the object, at least 1. */
  objectID: number;
  /** A relation such as `can_edit`. */
  relation: string;
}

/** Pods of one size. */
export interface PodDetail {
  flavor: PodFlavor;
  count: number;
  /** When the first of the pods was created, in Unix seconds. */
  createdAt: number;
  /** Seconds. */
  age: number;
}

/** The size of a pod, as Kubernetes quantities. */
export interface PodFlavor {
  cpu: string;
  memory: string;
}

/** The owner's preferences for a contract. Absent fields stay unchanged. */
export interface PreferencesInput {
  /** Clusters that the owner imports from now on are bound automatically. */
  autoAssignCluster?: boolean | null;
  /** Recipients of mails about the quota: a list of at most 50 addresses, or a single address. */
  usageAlertClient?: readonly string[] | null;
}

/** A product and its plan. */
export interface Product {
  DisplayName: string;
  /** Alias of the product. */
  ProductLine: string;
  TierName: string;
  TwitterHandle: string;
  QuickstartLink: string;
  /** All features of the plan, sorted. */
  Features: readonly string[];
  MailingLists: readonly string[];
}

/** The profile of a user. */
export interface Profile {
  /** The login. */
  name: string;
  full_name: string;
  email: string;
  keep_email_private: boolean;
  website: string;
  location: string;
  language: string;
  description: string;
}

/** A provider that signs users in. */
export interface Provider {
  /** Name of the provider in paths. */
  name: string;
  /** Title for the sign-in button. */
  title: string;
}

/** The URL at the provider. */
export interface ProviderAddress {
  /** URL at the provider. */
  location: string;
}

/** Billing details of a subscription at provider B. They describe the application at the provider. */
export interface ProviderBBillingDetails {
  /** Id of the application. */
  resourceUri: string;
  resourceUsageId: string;
  managedResourceGroupId: string;
  /** Name of the plan. */
  planId: string;
  /** The customer's subscription at the provider. */
  subscriptionId: string;
  /** The customer's resource group. */
  customerOwnedRG: string;
  appName: string;
}

/** Billing details of a subscription at provider A or C. The platform at `hosted_base_url` reports the usage. */
export interface ProxyBillingDetails {
  /** Address of the reporting platform; empty if none. */
  hostedBaseURL: string;
  /** `********` and the last four characters; empty if there is no token. */
  meteringProxyApiToken: string;
}

/** How much may be used under a contract. */
export interface Quota {
  enabled: boolean;
  /** `memory_gib_month`, `cpu_core_month`, `clusters`, or empty. */
  metric: string;
  limit: number;
  /** Percentages, ascending. */
  alertThresholds: readonly number[];
  /** If true, the contract gives no licence while its quota is enabled and the limit is reached. With the metric `… */
  disableLicenseOnLimitReached: boolean;
}

/** The peak and average amounts of an object in a month, and its present amounts. */
export interface QuotaHistoryRow {
  objectID: string;
  group: string;
  kind: string;
  name: string;
  namespace: string;
  clusterUID: string;
  clusterName: string;
  changes: number;
  peak: Amounts;
  average: Amounts;
  current: Amounts;
  firstSeen: string;
  lastSeen: string;
  ownerID?: number;
  ownerName?: string;
}

/** How much may be used under a contract. In a change, absent fields stay unchanged. */
export interface QuotaInput {
  enabled?: boolean | null;
  /** Default for an enabled quota: `clusters`. */
  metric?: 'memory_gib_month' | 'cpu_core_month' | 'clusters' | null;
  /** Above 0 if the quota is enabled; a whole number for `clusters`. */
  limit?: number | null;
  /** Percentages from 1 to 100, at most 10. */
  alertThresholds?: readonly number[] | null;
  disableLicenseOnLimitReached?: boolean | null;
}

/** The peak and average amounts of each object in a month, and its present amounts. `totals` sums up `average`. */
export interface QuotaSummariesView {
  /** Key of the product, such as `productdb`. */
  product: string;
  /** Name of the view, as in the path. */
  view: string;
  period: UsagePeriod;
  owner: UsageOwner;
  /** The query parameters that filter the view. */
  filters: Record<string, unknown>;
  /** The units of `cpu` and `memory`. In `intervals`, if present, amounts are in cores and GiB. */
  units: UsageUnits;
  /** The sum of all rows. */
  totals: Amounts;
  /** The rows, sorted by memory, the largest first. */
  rows: readonly QuotaHistoryRow[];
  /** When the response was created, RFC3339. */
  generatedAt: string;
  /** Whether the figures are final: the month ended at least 35 days ago. */
  final: boolean;
}

/** The quota of a contract, and its use at the time of the request. */
export interface QuotaUse {
  metric: string;
  limit: number;
  used: number;
  percent: number;
}

/** A product from which events arrived under a licence. */
export interface ReceivedProduct {
  /** Slug of the account. */
  userName: string;
  userType: 'user' | 'organization';
  email: string;
  userID: number;
  /** UUID of the cluster. */
  clusterID: string;
  licenseID: string;
  productName: string;
  firstReceivedAt: number;
  lastReceivedAt: number;
}

/** The licence of a cluster. */
export interface RegisterLicenseFields {
  /** UUID of the cluster. */
  clusterUID: string;
  /** Features, separated by white space, comma or semicolon. The licence must have at least one of these features. */
  features: string;
  /** Certificate (PEM) of the authority that the cluster trusts. If present, it must be the certificate of a trust… */
  caCert?: string | null;
  /** The licence: one PEM block `CERTIFICATE`. */
  license: string;
}

/** Disables or enables sign-up. */
export interface RegistrationOptionsInput {
  disableRegistration?: boolean | null;
}

/** A spoke of a client organization. */
export interface RemoveClusterParamsInput {
  /** Slug of the account that has imported the hub. */
  hubClusterOwnerName: string;
  /** The name that the owner gave the hub. */
  hubClusterName: string;
  /** UUID of the hub. */
  hubClusterUID: string;
  /** Name of the spoke on the hub. */
  spokeClusterName: string;
}

/** How many of the requested messages were accepted, and how many of them remain parked. */
export interface ReplayParkedEventsAnswer {
  /** Number of messages that were stored now, or had been stored before. */
  accepted: number;
  /** Number of messages that remain parked. */
  refused: number;
}

/** The messages to process again. */
export interface ReplaySiteParkedEventsFields {
  /** Ids of messages. Empty: all parked messages. */
  ids?: readonly number[] | null;
}

/** The provider accepted the record. For a dry run: the provider would accept the record. */
export interface ReportUsageToProviderAAnswer {
  /** Empty for a dry run. */
  MeteringRecordId: string;
}

/** A usage record for provider A. */
export interface ReportUsageToProviderAFields {
  ProductCode: string;
  /** RFC3339. */
  Timestamp: string;
  UsageDimension: string;
  /** From 0 to 2147483647; 0 when left out. */
  UsageQuantity?: number | null;
  /** The provider only checks whether it would accept the record. */
  DryRun?: boolean | null;
  /** The parts of `UsageQuantity`. If there are any parts, their sum must be `UsageQuantity`. */
  UsageAllocations?: readonly UsageAllocationInput[] | null;
}

/** A usage report for provider C. */
export interface ReportUsageToProviderCFields {
  /** Name of the report. If several reports differ only in `value`, the provider counts only one of them. */
  name: string;
  /** RFC3339. */
  startTime: string;
  /** RFC3339, after `startTime`. */
  endTime: string;
  labels?: Record<string, string> | null;
  value: MeteredValueInput;
  dimension: string;
  /** Name of the service at the provider. Must equal the setting `marketplace.providerc.serviceName`, if that is s… */
  serviceName: string;
}

/** Total capacity of the nodes of a cluster. */
export interface ReportedCapacity {
  /** Kubernetes quantity. */
  cpu: string;
  /** Kubernetes quantity. */
  memory: string;
  nodes: number;
}

/** The cluster of a namespace. */
export interface ReportedCluster {
  /** UUID of the cluster. */
  uid: string;
  name: string;
  displayName: string;
  /** Version of Kubernetes. */
  version: string;
  provider: string;
  capacity: ReportedCapacity;
}

/** A database with its pods and volumes. */
export interface ReportedDatabase {
  databaseInfo: DatabaseInfo;
  podDetails: readonly PodDetail[];
  volumeDetails: readonly VolumeDetail[];
}

/** A namespace, as the latest event of its databases describes it. */
export interface ReportedNamespace {
  name: string;
  uid: string;
  /** Absent if the namespace belongs to no client organization. */
  clientOrgID?: string;
  clientOrgName?: string;
  /** Always empty. */
  labels: Record<string, string>;
  /** The client organization's annotations `client.{label domain}/*`, and the annotations in the latest event. */
  annotations: Record<string, unknown>;
  /** Unix seconds. */
  creationTimestamp: number;
  /** Always absent. */
  deletedAt?: number;
}

/** The delivery to send again. */
export type ResendSiteWebhookDeliveryFields = Record<string, never>;

/** The delivery to send again. */
export type ResendWebhookDeliveryFields = Record<string, never>;

/** An event. */
export interface ResourceEvent {
  key: string;
  /** Version number: counts from 1 for each object. */
  version: number;
  /** When the event happened, in Unix seconds. */
  timestamp: number;
  partialResource?: PartialResource;
}

/** The versions of an object. The field `resource` of each version is absent. */
export interface ResourceHistory {
  key: string;
  /** Unix seconds. */
  lastSeen: number;
  values: readonly ResourceValue[];
}

/** Objects that the agent of the product reports, each with its versions. */
export interface ResourceHistoryList {
  items: readonly ResourceHistory[];
}

/** A version of an object. */
export interface ResourceValue {
  /** `{"group", "version", "name", "kind", "scope"}` */
  resourceID?: Record<string, unknown>;
  licenseID: string;
  /** Version number: counts from 1 for each object. */
  version: number;
  /** When the event happened, in Unix seconds. */
  timestamp: number;
  /** The whole object. */
  resource?: Record<string, unknown>;
}

/** A role. */
export interface Role {
  id: number;
  name: string;
  /** Id of the organization. */
  owner_id: number;
  description: string;
  /** In the order of the catalogue, without duplicates. */
  permissions: readonly Permission[];
  /** Ids of the teams that have the role, ascending. */
  team_ids: readonly number[];
  created_at?: string;
  updated_at?: string;
}

/** A change of a role. Absent fields stay unchanged. */
export interface RoleChangeInput {
  /** 1-100 characters after trimming, unique in the organization ignoring case. */
  name?: string | null;
  /** Replaces all permissions of the role. */
  permissions?: readonly PermissionInput[] | null;
  /** Up to 255 characters. */
  description?: string | null;
  /** Ids of all teams that have the role after the change. Other teams lose the role. */
  teamIDs?: readonly number[] | null;
}

/** A role to create. */
export interface RoleInput {
  /** 1-100 characters after trimming, unique in the organization ignoring case. */
  name: string;
  /** Permissions from the catalogue of permissions. The list may be empty. */
  permissions: readonly PermissionInput[];
  /** Up to 255 characters. */
  description?: string | null;
  /** Ids of the teams that get the role. The team Owners cannot have roles. By default, a role can have at most 10… */
  teamIDs?: readonly number[] | null;
}

/** A team that the role is assigned to. Roles are assigned only to teams. */
export interface RolePrincipal {
  /** Always `team`. */
  principalType: 'team';
  principalID: number;
  name: string;
  description: string;
  organizationID: number;
  /** Number of members of the team. */
  memberCount: number;
}

/** The users that were found. */
export interface SearchUsersAnswer {
  /** Always true. */
  ok: boolean;
  data: readonly User[];
}

/** The version of the marketplace listener. */
export interface ServerVersion {
  /** Calendar version `v<year>.<month>.<count>`. */
  version: string;
}

/** The address of a Kubernetes service: `{scheme}://{name}.{namespace}.svc:{port}{path}`. */
export interface ServiceAddressInput {
  /** `http` or `https`; `http` when empty. */
  scheme?: string | null;
  name?: string | null;
  namespace?: string | null;
  /** Port number. Empty: the default port of the scheme. */
  port?: string | null;
  /** Begins with a slash, or is empty. */
  path?: string | null;
  /** Parameters that are added to each request: `a=b&c=d`. */
  query?: string | null;
}

/** A session of a user. */
export interface Session {
  id: number;
  createdAt?: string;
  lastSeenAt?: string;
  /** When the session ends. An unused session ends earlier (`auth.sessionIdle`). */
  expiresAt?: string;
  /** How the user signed in. */
  via: 'token' | 'mail' | 'oidc' | 'link';
  /** Header `User-Agent` of the sign-in. */
  userAgent: string;
  /** Source address of the sign-in. */
  address: string;
  /** This session made the request. */
  current: boolean;
}

/** A problem with the marketplace setup, such as a missing secret or an old address list. */
export interface SettingWarning {
  Level: 'info' | 'warning' | 'error';
  Msg: string;
}

/** Warnings by marketplace; empty if there are no warnings. */
export interface SettingWarnings {
  warnings: Record<string, readonly SettingWarning[]>;
}

/** An object of a cluster. */
export interface ShownObject {
  objectID: string;
  group: string;
  kind: string;
  name: string;
  namespace: string;
  namespaceUID: string;
  clusterUID: string;
  clusterName: string;
  /** RFC3339. */
  createdAt: string;
  /** RFC3339; absent while the object exists. */
  deletedAt?: string;
}

/** The code of a sign-in link that the launcher has printed. */
export type SignInByLinkFields = Record<string, never>;

/** The code of a link in a mail. */
export type SignInByMailFields = Record<string, never>;

/** An access token to sign in with. */
export interface SignInByTokenFields {
  /** The access token. */
  token: string;
}

/** The session to end. */
export type SignOutFields = Record<string, never>;

/** The account to create. */
export interface SignUpFields {
  /** Login, a slug of at most 40 characters. */
  username: string;
  /** E-mail address that gets the link. */
  email: string;
  /** At most 100 characters. */
  full_name?: string | null;
}

/** The trusted authorities, in the order in which they were added. */
export interface SiteAuthorities {
  cas: readonly Authority[];
}

/** Installers in the order of their creation. */
export interface SiteInstallers {
  installers: readonly ListedInstaller[];
  /** Absent on the last page. */
  next?: string;
}

/** Parked messages by ascending id. */
export interface SiteParkedEvents {
  events: readonly ParkedEvent[];
  /** Absent in the last part. */
  next?: string;
}

/** A subscription. */
export interface Subscription {
  marketplace: 'ProviderA' | 'ProviderB' | 'ProviderC';
  subscriptionId: string;
  /** Account that gets the contracts; 0 if unknown. */
  subscriberId: number;
  /** Account that requested the subscription. Always 0: the account is unknown. */
  requesterId: number;
  /** The installer to which the subscription is bound; empty if it is not bound. */
  boundedInstallerId: string;
  state: 'Pending' | 'Bounded' | 'Running' | 'Failed' | 'Deleting' | 'DeletionFailed' | 'Deleted' | 'Revoked';
  /** The subscription is `Bounded`, `Running` or `Failed`, so it can be revoked. */
  isRevocable: boolean;
  /** Number of usage reports that the marketplace accepted. */
  noOfBillingEventSent: number;
  createdAt?: string;
  lastUpdatedAt?: string;
  lastBillingEventSentAt?: string;
  noOfAlertNotificationsSent?: number;
  lastAlertNotificationSentAt?: string;
  /** No usage before this time is reported. */
  billingNotBefore?: string;
  /** Only for ProviderA. Absent in lists. */
  providerABillingDetails?: ProxyBillingDetails;
  /** Only for ProviderB. Absent in lists. */
  providerBBillingDetails?: ProviderBBillingDetails;
  /** Only for ProviderC. Absent in lists. */
  providerCBillingDetails?: ProxyBillingDetails;
}

/** Names of clusters. */
export interface SyncStatus {
  insyncClusters: readonly string[];
  outOfSyncClusters: readonly string[];
}

/** A sync token: the credentials that a multi-cluster-manager and the platform share. */
export interface SyncToken {
  userID: number;
  orgID: number;
  orgName: string;
  accessKeyID: string;
  secretAccessKey: string;
}

/** The share of a tag in all uses of tags, in percent. */
export interface TagShare {
  tag: string;
  percentage: number;
}

/** A team. */
export interface Team {
  id: number;
  name: string;
  description: string;
  /** The organization; null in lists. */
  organization: Organization | null;
  /** Built-in right of the team. With `none` or `custom`, the team has no built-in right. */
  permission: 'none' | 'read' | 'write' | 'admin' | 'owner' | 'custom';
  /** Always null. */
  units: readonly string[] | null;
  /** `kubernetes`. */
  type: 'kubernetes';
  /** Ids of the assigned roles, ascending. */
  role_ids?: readonly number[];
}

/** An open invitation. */
export interface TeamInvitation {
  id: number;
  email: string;
  teamID: number;
  /** Name of the team. */
  team: string;
  /** Login of the inviter. */
  inviter: string;
  createdAt?: string;
  /** When the link expires. */
  expiresAt?: string;
}

/** Where telemetry is sent, and how long it is kept. Each retention period is a text such as `15d`. */
export interface TelemetryParamsInput {
  /** Name of a cluster that the owner of the hub has imported. */
  monitoringClusterName: string;
  logsRetentionPeriods?: string | null;
  tracesRetentionPeriods?: string | null;
  metricsRetentionPeriods?: MetricsRetentionPeriodsInput | null;
}

/** TLS settings for the backend. `ca`, `cert` and `key` are PEM texts. */
export interface TlsInput {
  /** Trusted authorities. Empty: the authorities of the system. */
  ca?: string | null;
  /** The client certificate. Requires `key`. */
  cert?: string | null;
  /** The key of the client certificate. Requires `cert`. */
  key?: string | null;
  /** The name that the backend's certificate must have; the host of the URL when empty. */
  serverName?: string | null;
  /** Accept any certificate. */
  insecureSkipTLSVerify?: boolean | null;
}

/** The token is stored. */
export interface TokenCreated {
  message: string;
}

/** A toleration of Kubernetes. */
export interface TolerationInput {
  key?: string | null;
  /** `Exists` or `Equal`. */
  operator?: string | null;
  value?: string | null;
  /** Empty, `NoSchedule`, `PreferNoSchedule` or `NoExecute`. */
  effect?: string | null;
  tolerationSeconds?: number | null;
}

/** A refusal. If this deployment does not have the route, the body has only a `message`. */
export interface UnregisteredError {
  /** For people; may change. */
  message: string;
  /** Address of the API reference. */
  url?: string;
  /** For programs; stable. */
  code?: string;
  /** Identifies the request in the logs. */
  requestId?: string;
  /** The problems of the request, if they are known. */
  errors?: readonly {
    /** JSON path in the body, or name of a parameter. */
    path: string;
    message: string;
  }[];
  /** The error of a marketplace that refused the request. */
  origErr?: Record<string, never>;
}

/** The changes of a contract. Absent fields stay unchanged. */
export interface UpdateContractFields {
  /** Absent, or the id of the present owner: the owner cannot change. */
  uid?: number | null;
  /** Absent, or the slug of the present owner: the owner cannot change. */
  orgOrUser?: string | null;
  /** 1 to 100 characters after trimming. */
  name?: string | null;
  /** Absent, or the present product, which cannot change. */
  product?: string | null;
  /** Licensed features. The product must have all of them. An empty list counts as absent. */
  features?: readonly string[] | null;
  emails?: EmailsInput | null;
  quota?: QuotaInput | null;
  /** Unix seconds. */
  start?: number | null;
  /** Unix seconds; after `start`. */
  end?: number | null;
  /** Offline licences may be issued. */
  allowOffline?: boolean | null;
  /** Clusters that the owner imports from now on are bound automatically. */
  autoAssignCluster?: boolean | null;
  /** Licences disable analytics. */
  disableAnalytics?: boolean | null;
  /** Licences enable client billing. */
  enableClientBilling?: boolean | null;
  /** Empty, or a JSON object with restrictions for kinds such as `Postgres`: `{Kind: {"versionConstraint": semver … */
  restrictions?: string | null;
}

/** A change of an organization. Absent fields stay unchanged. */
export interface UpdateOrganizationFields {
  /** Name for people, up to 100 characters. */
  full_name?: string | null;
  /** Up to 255 characters. */
  description?: string | null;
  /** Empty, or an absolute http(s) URL of up to 255 characters. */
  website?: string | null;
  /** Up to 50 characters. */
  location?: string | null;
  /** `public`, `limited` or `private`: sets the visibility if `visibility` is empty or absent. */
  orgType?: 'public' | 'limited' | 'private' | null;
  /** Absolute https URL of the multi-cluster-manager, up to 255 characters. http is also accepted, except in run m… */
  managerManagementClusterEndPoint?: string | null;
  /** `public`, `limited` or `private`; an empty text leaves the visibility unchanged. */
  visibility?: 'public' | 'limited' | 'private' | '' | null;
}

/** The endpoint to change, and its new values. */
export interface UpdateSiteWebhookFields {
  /** The https URL of a server on the internet. */
  url?: string | null;
  /** The kinds of events to send. If empty, the kinds stay unchanged. */
  events?: readonly ('member.added' | 'member.removed' | 'role.created' | 'role.updated' | 'role.deleted' | 'team.created' | 'team.updated' | 'team.deleted' | 'contract.created' | 'contract.extended' | 'contract.revoked' | 'contract.ending' | 'quota.threshold_reached' | 'license.issued' | 'license.ending' | 'cluster.imported' | 'cluster.removed' | 'cluster.lost' | 'subscription.state_changed' | 'usage.month_final')[] | null;
  active?: boolean | null;
  /** Whether to create a new secret. The previous secret stays valid for 24 hours. */
  rotateSecret?: boolean | null;
}

/** A change of a team. `name` is required. Other absent fields stay unchanged. */
export interface UpdateTeamFields {
  /** 1 to 50 ASCII letters, digits, `-`, `_`, `.` and single inner spaces. Unique in the organization, ignoring ca… */
  name: string;
  /** Up to 255 characters. */
  description?: string | null;
  /** `read`, `write`, `admin` or `custom` (no built-in right). */
  permission?: 'read' | 'write' | 'admin' | 'custom' | null;
  /** Ids of all roles of the team after the change. The maximum is a setting of the platform, by default 10. */
  assignedRoleIDs?: readonly number[] | null;
  /** Only `kubernetes`. */
  type?: 'kubernetes' | null;
}

/** Profile of the caller. */
export interface UpdateUserSettingsFields {
  /** At most 100 characters. */
  full_name?: string | null;
  /** Empty, or an absolute http or https address of at most 255 characters. */
  website?: string | null;
  /** At most 50 characters. */
  location?: string | null;
  /** At most 255 characters. */
  description?: string | null;
  /** Tag of a language such as `de` or `en-GB`, at most 35 characters. */
  language?: string | null;
  /** Whether to hide the e-mail address from everyone except the user and site admins. */
  hide_email?: boolean | null;
}

/** The endpoint to change, and its new values. */
export interface UpdateWebhookFields {
  /** The https URL of a server on the internet. */
  url?: string | null;
  /** The kinds of events to send. If empty, the kinds stay unchanged. */
  events?: readonly ('member.added' | 'member.removed' | 'role.created' | 'role.updated' | 'role.deleted' | 'team.created' | 'team.updated' | 'team.deleted' | 'contract.created' | 'contract.extended' | 'contract.revoked' | 'contract.ending' | 'quota.threshold_reached' | 'license.issued' | 'license.ending' | 'cluster.imported' | 'cluster.removed' | 'cluster.lost')[] | null;
  active?: boolean | null;
  /** Whether to create a new secret. The previous secret stays valid for 24 hours. */
  rotateSecret?: boolean | null;
}

/** A part of `UsageQuantity`. */
export interface UsageAllocationInput {
  AllocatedUsageQuantity: number;
  Tags?: readonly UsageTagInput[] | null;
}

/** Usage of a row. Only billable views have `prod`, `nonProd` and `free`. In billable views, `cpu` and `memory` ar… */
export interface UsageAmounts {
  cpu: number;
  memory: number;
  prod?: Amounts;
  nonProd?: Amounts;
  free?: Amounts;
}

/** The usage of a UTC day: billed as production, billed as non-production, free, or unbilled. */
export interface UsageDay {
  /** `2026-01-31` */
  date: string;
  prod: Amounts;
  nonProd: Amounts;
  free: Amounts;
  /** Usage that neither a contract nor a trial covers. Only in views of total usage. */
  unbilled?: Amounts;
}

/** The organization of the request. If it is the administrative organization, the view covers all accounts. */
export interface UsageOwner {
  id: number;
  /** Slug. */
  name: string;
}

/** A UTC month. */
export interface UsagePeriod {
  year: number;
  month: number;
  /** RFC3339. */
  start: string;
  /** The first second of the next month, RFC3339. */
  end: string;
}

/** The usage of a UTC day. */
export interface UsagePoint {
  /** `2026-01-31` */
  date: string;
  cpu: number;
  memory: number;
}

/** The usage of one row of a view by UTC day. The series with the key `other` sums up all rows except the largest … */
export interface UsageSeries {
  key: string;
  name: string;
  points: readonly UsagePoint[];
}

/** A label of a usage allocation. */
export interface UsageTagInput {
  Key: string;
  Value: string;
}

/** The units of amounts. */
export interface UsageUnits {
  /** `core-minute`, `core-month` or `core`. */
  cpu: string;
  /** `gib-minute`, `gib-month` or `gib`. */
  memory: string;
}

/** A user. Some fields depend on who reads the user. */
export interface User {
  id: number;
  login: string;
  /** The same as `login`. */
  username: string;
  full_name: string;
  /** The true address, or a placeholder that does not reach the person. */
  email: string;
  avatar_url: string;
  language: string;
  is_admin: boolean;
  /** 1970-01-01T00:00:00Z if the user has never signed in, and in responses to callers who are not signed in. */
  last_login?: string;
  created?: string;
  /** 0: a person. */
  type: number;
  active: boolean;
  prohibit_login: boolean;
  location: string;
  website: string;
  description: string;
  /** In responses about an organization: the user is a member of its team Owners. */
  orgAdmin: boolean;
  /** The user is a member of at least one client organization. */
  clientOrgUser: boolean;
}

/** A licence, and the latest SiteInfo that the cluster sent under the licence. */
export interface UserLicense {
  license?: LicensedPlan;
  /** The SiteInfo as the cluster sent it; `{}` if none has arrived. */
  siteinfo?: Record<string, unknown>;
}

/** The owner of a client organization, and the rights of the organization's members on clusters. */
export interface UserOptionsInput {
  userName: string;
  /** Required if there is no such user. */
  email?: string | null;
  /** At least one. */
  permissions?: readonly UserPermissionInput[] | null;
  /** Import the named clusters, with the client organization as owner. */
  importCluster?: boolean | null;
  /** Has no effect: always treated as true. */
  clientOrg?: boolean | null;
}

/** A role on a cluster, or on all clusters of a set. */
export interface UserPermissionInput {
  /** Name of a spoke or of a cluster set. */
  name: string;
  isClusterSet?: boolean | null;
  /** `ClusterRole` (default when empty) or `Role`. */
  roleType?: string | null;
  /** `platform:admin`, `platform:editor`, `platform:viewer`, or the name of another role that exists on each spoke. */
  roleRefName: string;
  /** Namespaces if `roleType` is `Role`. */
  roleRefNamespace?: readonly string[] | null;
  managedClusterRoleBindingName?: string | null;
  managedClusterSetRoleBindingName?: string | null;
}

/** Profile of the caller. */
export interface UserSettings {
  /** At most 100 characters. */
  full_name?: string;
  /** Empty, or an absolute http or https address of at most 255 characters. */
  website?: string;
  /** At most 50 characters. */
  location?: string;
  /** At most 255 characters. */
  description?: string;
  /** Tag of a language such as `de` or `en-GB`, at most 35 characters. */
  language?: string;
  /** Whether to hide the e-mail address from everyone except the user and site admins. */
  hide_email?: boolean;
}

/** An access token of a user. */
export interface UserToken {
  id: number;
  name: string;
  /** The value of the token. Only the response of CreateUserToken contains the value. */
  sha1?: string;
  token_last_eight: string;
  /** In ascending order. */
  scopes: readonly string[];
  created_at?: string;
  /** Absent if the token was never used. */
  last_used_at?: string;
  /** Absent if the token does not expire. */
  expires_at?: string;
}

/** A volume. */
export interface VolumeDetail {
  name: string;
  /** Kubernetes quantity. */
  initialSize: string;
  expansions: readonly VolumeExpansion[];
  /** Unix seconds. */
  createdAt: number;
  /** Seconds. */
  age: number;
  /** Unix seconds; absent while the volume exists. */
  deletedAt?: number;
}

/** A change of a volume's size. */
export interface VolumeExpansion {
  /** Kubernetes quantity. */
  size: string;
  /** Unix seconds. */
  timestamp: number;
}

/** An endpoint. */
export interface Webhook {
  id: number;
  url: string;
  /** The kinds of events that are sent. */
  events: readonly string[];
  active: boolean;
  /** Why the platform deactivated the endpoint. Absent if the endpoint is active, or a user deactivated it. */
  disabledReason?: 'failing' | 'gone' | 'rights_lost';
  /** Time of the first failed attempt since the last success, if any. A change of an inactive endpoint clears the … */
  failingSince?: string;
  createdAt?: string;
  /** `whsec_` and 32 bytes in base64. Present only in the response that creates the secret. */
  secret?: string;
}

/** The delivery of an event to an endpoint. */
export interface WebhookDelivery {
  id: number;
  /** Id of the event, the same in all deliveries of the event. */
  eventID: string;
  /** Kind of the event. */
  event: string;
  /** The object of the event, such as `role:5`. */
  subject: string;
  /** `waiting` for the next attempt, `delivered`, or `failed` without further attempts. */
  state: 'waiting' | 'delivered' | 'failed';
  /** Number of attempts. */
  attempts: number;
  /** HTTP status of the answer to the last attempt. Absent without an answer. */
  status?: number;
  /** Duration of the last attempt in milliseconds. Absent before the first attempt. */
  durationMs?: number;
  createdAt?: string;
  /** Time of the last attempt. Absent before the first attempt. */
  sentAt?: string;
  /** Why the delivery has failed. Absent if `state` is not `failed`. `scope_missing`: the token with which the end… */
  reason?: 'failing' | 'gone' | 'rights_lost' | 'scope_missing';
}

/** The request and the answer of each operation, and the codes with which the operation may refuse. */
export interface Operations {
  /** Lists the changes of all organizations, users and site settings, newest first */
  listSiteAudit: {
    parameters: {
      /** Only changes by this actor: login of an account, `operator` or `platform`. */
      actor?: string;
      /** Only this action, as in AuditRecord. */
      action?: string;
      /** Only changes of this object, as type and id: `team:7`. */
      object?: string;
      /** Only changes at or after this time. */
      since?: string;
      /** Only changes before this time. */
      until?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AuditRecord[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the installers that have an owner, in the order of their creation, at most 1000 per response */
  listSiteInstallers: {
    parameters: {
      /** `next` of the previous response. */
      after?: string;
    };
    body: undefined;
    answer: SiteInstallers;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the trusted authorities, as `platform admin license-ca list` does */
  listSiteAuthorities: {
    parameters: Record<string, never>;
    body: undefined;
    answer: SiteAuthorities;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the organizations of the platform, by ascending id */
  listSiteOrganizations: {
    parameters: {
      /** Prefix of the slug or the full name, ignoring case. */
      q?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Organization[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists parked messages */
  listSiteParkedEvents: {
    parameters: {
      /** `next` of the previous response. */
      after?: string;
    };
    body: undefined;
    answer: SiteParkedEvents;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Processes parked messages again, as `platform admin parked-events replay` does */
  replaySiteParkedEvents: {
    parameters: Record<string, never>;
    body: ReplaySiteParkedEventsFields | undefined;
    answer: ReplayParkedEventsAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns the state of writes to the authorization engine, and the number of site admins who can sign in */
  getSiteStatus: {
    parameters: Record<string, never>;
    body: undefined;
    answer: GetStatusAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the users of the platform, by ascending id */
  listSiteUsers: {
    parameters: {
      /** Prefix of the login or the full name, ignoring case. */
      q?: string;
      /** True: only active users. False: only inactive users. */
      active?: boolean;
      /** True: only site admins. False: only users who are not site admins. */
      admin?: boolean;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly User[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates a user */
  addSiteUser: {
    parameters: {
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: AddSiteUserFields;
    answer: User;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Changes a user */
  changeSiteUser: {
    parameters: {
      /** Login of the user. */
      username: string;
    };
    body: ChangeSiteUserFields;
    answer: User;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'last_owner'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a user, and the user's memberships and tokens */
  removeSiteUser: {
    parameters: {
      /** Login of the user. */
      username: string;
      /** Concerns organizations whose last owner is this user. True: the owners of the administrative organization… */
      leaveOrganizations?: boolean;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'last_owner'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'org_in_use'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the endpoints of the site, by ascending id */
  listSiteWebhooks: {
    parameters: {
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Webhook[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Adds an endpoint, and returns its secret */
  createSiteWebhook: {
    parameters: {
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateSiteWebhookFields;
    answer: Webhook;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Changes an endpoint */
  updateSiteWebhook: {
    parameters: {
      /** Id of the endpoint. */
      id: number;
    };
    body: UpdateSiteWebhookFields;
    answer: Webhook;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes an endpoint and its deliveries */
  deleteSiteWebhook: {
    parameters: {
      /** Id of the endpoint. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the deliveries to an endpoint, newest first */
  listSiteWebhookDeliveries: {
    parameters: {
      /** Id of the endpoint. */
      id: number;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly WebhookDelivery[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Queues a delivery again, with the same event id */
  resendSiteWebhookDelivery: {
    parameters: {
      /** Id of the endpoint. */
      id: number;
      /** Id of the delivery. */
      delivery: number;
    };
    body: ResendSiteWebhookDeliveryFields;
    answer: WebhookDelivery;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the e-mail domains whose addresses may sign up */
  listAllowedDomains: {
    parameters: {
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly string[];
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Adds an e-mail domain to the allowed domains */
  addAllowedDomain: {
    parameters: {
      /** Slug of the organization to act for. */
      org: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: AllowedDomainInput;
    answer: readonly string[];
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_domain'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes an e-mail domain from the allowed domains */
  removeAllowedDomain: {
    parameters: {
      /** Slug of the organization to act for. */
      org: string;
    };
    body: AllowedDomainInput;
    answer: readonly string[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_domain'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_in_whitelist'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Explains whether a user holds a relation on an object of the organization, what grants the relation, and what… */
  explainPermission: {
    parameters: {
      /** Slug of an organization that the caller is a member of. */
      org: string;
    };
    body: PermissionQuestionInput;
    answer: Explanation;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_object_type'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists what the caller may do with each of up to 1000 objects, in the order of the request */
  listAllowedPermissions: {
    parameters: {
      /** Slug of an organization that the caller is a member of. */
      org: string;
    };
    body: readonly ObjectIdentifierInput[];
    answer: readonly AllowedPermissions[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_object_type'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists what the caller may do with an object */
  getAllowedPermissions: {
    parameters: {
      /** `user`, `organization`, `team`, `cluster`, `contract`, `robot_ac` or `token`. */
      objectType: string;
      /** Id of the object, at least 1. For `user`, the id of the caller. */
      objectID: number;
      /** Slug of an organization that the caller is a member of. */
      org: string;
    };
    body: undefined;
    answer: AllowedPermissions;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_object_type'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the roles of the organization, by ascending id */
  listRoles: {
    parameters: {
      /** Slug of the organization that owns the roles. */
      org: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Role[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates a role */
  createRole: {
    parameters: {
      /** Slug of the organization that owns the roles. */
      org: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: RoleInput;
    answer: Role;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_name'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'owners_team_immutable'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'too_many_roles'
      | 'unauthenticated'
      | 'unavailable'
      | 'unknown_permission'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the permissions that a custom role can grant */
  listAvailablePermissions: {
    parameters: {
      /** Slug of an organization that the caller is a member of. */
      org: string;
    };
    body: undefined;
    answer: ListAvailablePermissionsAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a role */
  getRole: {
    parameters: {
      /** Id of the role. */
      id: number;
      /** Slug of the organization that owns the roles. */
      org: string;
    };
    body: undefined;
    answer: Role;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes a role */
  updateRole: {
    parameters: {
      /** Id of the role. */
      id: number;
      /** Slug of the organization that owns the roles. */
      org: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: RoleChangeInput;
    answer: Role;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_name'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'owners_team_immutable'
      | 'precondition_failed'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'too_many_roles'
      | 'unauthenticated'
      | 'unavailable'
      | 'unknown_permission'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a role and removes it from all teams */
  deleteRole: {
    parameters: {
      /** Id of the role. */
      id: number;
      /** Slug of the organization that owns the roles. */
      org: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the teams that a role is assigned to, by ascending id */
  listRolePrincipals: {
    parameters: {
      /** Id of the role. */
      id: number;
      /** Slug of the organization that owns the roles. */
      org: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly RolePrincipal[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the branding */
  getBranding: {
    parameters: Record<string, never>;
    body: undefined;
    answer: Branding;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes the branding */
  updateBranding: {
    parameters: {
      /** Slug of the organization to act for. */
      org: string;
    };
    body: BrandingOptionsInput;
    answer: Branding;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the imported clusters of `org`, by ascending id */
  listImportedClusters: {
    parameters: {
      /** Slug of the organization to act for. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ClusterInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Imports a cluster, or updates the account's cluster with the same UID */
  createCluster: {
    parameters: {
      /** Slug of the organization to act for. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: ClusterInput;
    answer: ClusterInfo;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads an imported cluster */
  getCluster: {
    parameters: {
      /** Slug of the account that imported the cluster. */
      owner: string;
      /** Name that the owner gave the cluster. */
      cluster: string;
    };
    body: undefined;
    answer: ClusterInfo;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes an imported cluster */
  updateCluster: {
    parameters: {
      /** Slug of the account that imported the cluster. */
      owner: string;
      /** Name that the owner gave the cluster. */
      cluster: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: ClusterChangeInput;
    answer: ClusterInfo;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes an imported cluster from the registry */
  deleteCluster: {
    parameters: {
      /** Slug of the account that imported the cluster. */
      owner: string;
      /** Name that the owner gave the cluster. */
      cluster: string;
      /** Remove the cluster even if it is in use. */
      force?: boolean;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the managed clusters that the hub has accepted and that have joined, by name */
  listAvailableClusters: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ManagedClusterInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the names of the cluster sets of the hub */
  listAvailableClusterSets: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** `client-org`: only sets that are eligible for client organizations. */
      type?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly string[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns all namespaces of the hub, each with the names of the cluster sets that it is bound to */
  listBoundNamespaces: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
    };
    body: undefined;
    answer: Record<string, readonly string[]>;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Binds a namespace to a cluster set */
  bindNamespace: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: BindNamespaceOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes the binding of a namespace to a cluster set, even if the set no longer exists */
  unbindNamespace: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
    };
    body: BindNamespaceOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the cluster sets of the hub, by name, including `default` and `global` */
  listClusterSets: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ListClusterSetResp[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Moves clusters from their present sets into a cluster set */
  addClusters: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
    };
    body: ClusterSetOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Creates a cluster set and moves the given clusters into it */
  createClusterSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: ClusterSetOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a cluster set with its namespace bindings, its profile and its profile bindings */
  deleteClusterSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
    };
    body: ClusterSetOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Moves clusters of a cluster set to `default` */
  removeClusters: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
    };
    body: ClusterSetOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns the owners of the accounts that have a role on the cluster set, grouped by Kubernetes role */
  getAuthInfo: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: undefined;
    answer: Record<string, readonly User[]>;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Sets the wanted version (see GetFeaturesVersion) to the newest version that the hub knows */
  startAutoUpdate: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'auto_update_not_possible'
      | 'bad_upstream'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns whether all clusters have the wanted version (see GetFeaturesVersion) */
  checkAutoUpdate: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: undefined;
    answer: AutoUpdateCheck;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the names of the managed clusters that are not in the cluster set */
  listClustersToAdd: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly string[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the clusters of a cluster set, by name */
  listClustersOfSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ClustersResp[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes features of a feature set from the profile of the cluster set */
  disableFeatureSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: EnableFeatureOptionsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'feature_required'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the feature sets of the hub with their features, by name */
  listFeatureSets: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly FeatureSetInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Installs a feature set on the clusters of the cluster set */
  installFeatureSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: Record<string, unknown>;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'feature_required'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns which clusters are in sync, by feature set and feature */
  getSyncStatusOfAllFeatures: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: undefined;
    answer: Record<string, Record<string, DetailedSyncStatus>>;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the wanted version of the feature `opscenter-features`, and the version on each cluster of the set */
  getFeaturesVersion: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
    };
    body: undefined;
    answer: FeaturesVersion;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns on which clusters of the set a feature is in sync */
  getSyncStatusOfFeature: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Name of a feature. */
      feature: string;
    };
    body: undefined;
    answer: SyncStatus;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Installs a feature set on one cluster of the set */
  updateFeatureSet: {
    parameters: {
      /** Slug of the account that imported the hub. */
      owner: string;
      /** Name of the hub cluster. */
      cluster: string;
      /** Name of the cluster set. */
      clusterset: string;
      /** Name of a managed cluster of the set. */
      managedCluster: string;
    };
    body: Record<string, unknown>;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'feature_required'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the contracts of one account, or of all accounts, by ascending id */
  listContracts: {
    parameters: {
      /** Slug of the organization or user whose contracts are listed. Default: the caller. The administrative orga… */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates one contract for each product, all or none */
  createContracts: {
    parameters: {
      /** Slug of the organization or user that gets the contracts, if the body names no account. Default: the call… */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateContractsFields | FormData;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'already_associated'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'empty_list'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_email'
      | 'invalid_parameter'
      | 'invalid_quota'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'unsupported_product'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads the status of each given cluster as GetClusterStatus does, in the order of the request */
  listClusterStatuses: {
    parameters: {
      /** Slug of the organization or user whose contracts are read. Default: the caller. */
      org?: string;
      /** Id of the account whose contracts are read. Has priority over `org`. 0 counts as absent. */
      orgOrUserId?: number;
      /** Id of a contract of the account. It need not be active. Only bindings to this contract are read. */
      contract?: number;
    };
    body: ClusterBatchInput;
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads the status of a cluster in the given contract of an account */
  getClusterStatus: {
    parameters: {
      /** UUID of the cluster. */
      clusterID: string;
      /** Slug of the organization or user whose contracts are read. Default: the caller. */
      org?: string;
      /** Id of the account whose contracts are read. Has priority over `org`. 0 counts as absent. */
      orgOrUserId?: number;
      /** Id of a contract of the account. It need not be active. Only the binding to this contract is read. */
      contract?: number;
    };
    body: undefined;
    answer: ContractClusterStatus;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the products for which contracts can be created */
  listProducts: {
    parameters: {
      /** Slug of an organization or user. It does not change the response. */
      org?: string;
    };
    body: undefined;
    answer: Record<string, Product>;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a contract */
  getContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: undefined;
    answer: Contract;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes a contract */
  updateContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: UpdateContractFields | FormData;
    answer: Contract;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_email'
      | 'invalid_parameter'
      | 'invalid_quota'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a contract with its bindings, document and recorded events */
  deleteContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the recorded events of a contract, newest first */
  listAuditEvents: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AuditEvent[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the clusters bound to a contract, by ascending id */
  listContractClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Binds clusters to a contract, all or none, and returns all clusters of the contract */
  addContractClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: readonly ClusterReferenceInput[];
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'already_associated'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'empty_list'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_contract'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the imported clusters of the contract's owner, by ascending id */
  listImportableClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ClusterInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'contract_not_found'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes a cluster from a contract */
  deleteContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lets site admins issue an offline licence for a cluster of a contract */
  issueContractLicense: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: undefined;
    answer: License;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'contract_expired'
      | 'contract_not_started'
      | 'contract_revoked'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'issuer_unavailable'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'offline_not_allowed'
      | 'quota_exceeded'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Renames a cluster in a contract */
  renameContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: ClusterNameInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Replaces the tags of a cluster in every contract that has the cluster, also in contracts of other accounts */
  tagContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: ClusterTagsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns a link to the document of a contract */
  getDocumentLink: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: undefined;
    answer: string;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes the end of a contract to a later or earlier time */
  extendContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: ContractEndInput;
    answer: Contract;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Revokes a contract */
  revokeContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the contract's owner. If the field is absent or names the administrative organization, the contra… */
      org?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the licences under which events from a cluster arrived in the time window (`limit`) */
  listActiveLicensesOfCluster: {
    parameters: {
      /** UUID of the cluster. */
      cid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ActiveLicense[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists problems with the marketplace setup of this deployment, such as a missing secret or an old address list */
  getSettingWarnings: {
    parameters: {
      /** Slug of an organization. */
      org: string;
    };
    body: undefined;
    answer: SettingWarnings;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists all subscriptions, the most recently updated first */
  listSubscriptions: {
    parameters: {
      /** Slug of an organization. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Subscription[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a subscription and its billing details */
  getSubscription: {
    parameters: {
      /** `ProviderA`, `ProviderB` or `ProviderC`. */
      marketplace: string;
      /** 20 characters of 0-9 and a-v. */
      subscriptionId: string;
      /** Slug of an organization. */
      org: string;
    };
    body: undefined;
    answer: Subscription;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'subscription_not_found'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Revokes a subscription, then all of its contracts */
  revokeSubscription: {
    parameters: {
      /** `ProviderA`, `ProviderB` or `ProviderC`. */
      marketplace: string;
      /** 20 characters of 0-9 and a-v. */
      subscriptionId: string;
      /** Slug of an organization. */
      org: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_revocable'
      | 'rate_limited'
      | 'subscription_not_found'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the events of a subscription by month (UTC), newest first */
  getAuditLogs: {
    parameters: {
      /** `ProviderA`, `ProviderB` or `ProviderC`. */
      marketplace: string;
      /** 20 characters of 0-9 and a-v. */
      subscriptionId: string;
      /** Slug of an organization. */
      org: string;
    };
    body: undefined;
    answer: AuditLogs;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'subscription_not_found'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Checks that the platform at the `hostedBaseURL` of a subscription is ready */
  pingSubscription: {
    parameters: {
      /** `ProviderA`, `ProviderB` or `ProviderC`. */
      marketplace: string;
      /** 20 characters of 0-9 and a-v. */
      subscriptionId: string;
      /** Slug of an organization. */
      org: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'subscription_not_found'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_marketplace'
      | 'uri_too_long';
  };
  /** Lists the months up to now in which an organization had metered events */
  getGeneratedMonths: {
    parameters: {
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: GeneratedMonths;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns all stored amounts of an object over time, in cores and GiB */
  getObjectQuotaHistory: {
    parameters: {
      /** UUID of the cluster. */
      clusterUID: string;
      /** UID of the object, as in its events. */
      objectID: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: ObjectHistory;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Downloads the usage of `productdb` in a month as a PDF */
  downloadMonth: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productbackup` in each cluster in a month */
  getBackupClustersUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** Only usage under this contract. 0: only usage that no contract covers. */
      contractID?: string;
    };
    body: undefined;
    answer: ClustersUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productbackup` under each contract in a month */
  getBackupContractsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
    };
    body: undefined;
    answer: ContractsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of each cluster in a month */
  getClustersUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** API group of the objects. */
      group?: string;
      /** Kind of the objects. */
      kind?: string;
      /** Only usage under this contract. 0: only usage that no contract covers. */
      contractID?: string;
    };
    body: undefined;
    answer: ClustersUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage under each contract in a month */
  getContractsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
    };
    body: undefined;
    answer: ContractsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of each kind of object in a month */
  getGroupKindsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** UUID of the cluster. */
      clusterUID?: string;
    };
    body: undefined;
    answer: GroupKindsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of each namespace in a month */
  getNamespacesUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** UUID of the cluster. */
      clusterUID?: string;
    };
    body: undefined;
    answer: NamespacesUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the peak and average amounts of each object in a month, and its present amounts, in cores and GiB */
  getQuotaHistorySummaries: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: QuotaSummariesView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the amounts of an object over a month, in cores and GiB */
  getMonthQuotaHistory: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** UUID of the cluster. */
      clusterUID: string;
      /** UID of the object, as in its events. */
      objectID: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: MonthHistory;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the billable usage of each object in a month */
  getClusterModeUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: ClusterModesView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the periods of billable usage of an object in a month, with the mode of its cluster in each period */
  getObjectClusterModeUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** UUID of the cluster. */
      clusterUID: string;
      /** UID of the object, as in its events. */
      objectID: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
    };
    body: undefined;
    answer: ObjectModesView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of each object in a month */
  getObjectsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** API group of the objects. */
      group?: string;
      /** Kind of the objects. */
      kind?: string;
      /** UUID of the cluster. */
      clusterUID?: string;
      /** Namespace of the objects. */
      namespace?: string;
      /** UID of the namespace of the objects. */
      namespaceUID?: string;
    };
    body: undefined;
    answer: ObjectsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productingress` in each cluster in a month */
  getIngressClustersUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** Only usage under this contract. 0: only usage that no contract covers. */
      contractID?: string;
    };
    body: undefined;
    answer: ClustersUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productingress` under each contract in a month */
  getIngressContractsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
    };
    body: undefined;
    answer: ContractsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productvault` in each cluster in a month */
  getVaultClustersUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
      /** Only usage under this contract. 0: only usage that no contract covers. */
      contractID?: string;
    };
    body: undefined;
    answer: ClustersUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the usage of `productvault` under each contract in a month */
  getVaultContractsUsage: {
    parameters: {
      /** Four digits. */
      year: string;
      /** `1` to `12`, `01` to `12`, or an English name. */
      month: string;
      /** Slug of the organization whose usage is shown. */
      org: string;
      /** `total` (default) or `billable`. `total-usage` and `billable-usage` are accepted as synonyms. */
      view_type?: string;
    };
    body: undefined;
    answer: ContractsUsageView;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Records an outage from `start` (inclusive) to `end` (exclusive) */
  createOutage: {
    parameters: {
      /** Slug of an organization. */
      org: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: NewOutageInput;
    answer: Outage;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'overlapping'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Sums up outages, and lists them by descending start */
  getOutageReport: {
    parameters: {
      /** Slug of an organization. */
      org: string;
      /** Only outages that end after this time, RFC3339. */
      start?: string;
      /** Only outages of this account. */
      account_id?: number;
      /** Only outages of this cluster. */
      cluster_id?: string;
      /** Only outages with any of these tags. */
      tags?: readonly string[];
    };
    body: undefined;
    answer: OutageReportAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists all tags of outages, each once, in code point order */
  listOutageTags: {
    parameters: {
      /** Slug of an organization. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly string[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the accounts that have a licence, by ascending id */
  listLicensedUsers: {
    parameters: {
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly LicensedUser[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the accounts that have a licence and from which events arrived in the time window (`limit`), by ascendi… */
  listActiveUsers: {
    parameters: {
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly LicensedUser[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the accounts that have a licence and from which no event has ever arrived */
  listInactiveUsers: {
    parameters: {
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly LicensedUser[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the clusters of an account, by ascending id */
  listUserClusters: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ClusterInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists an account's clusters from which events arrived in the time window (`limit`), by ascending UUID */
  listActiveClusters: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ActiveCluster[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a cluster of an account */
  getUserCluster: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
    };
    body: undefined;
    answer: ClusterInfo;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the licences that an account has for a cluster, by time of issue */
  listUserLicenses: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly LicensedPlan[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the licences under which events from an account's cluster arrived in the time window (`limit`), by time… */
  listActiveLicenses: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ActiveLicense[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a licence, and the latest SiteInfo that the cluster sent under the licence */
  getUserLicense: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
    };
    body: undefined;
    answer: UserLicense;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the products from which events arrived under a licence in the time window (`limit`), by name */
  listReceivedProducts: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ReceivedProduct[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a product that has reported under a licence, even if its last event is outside the window of the request */
  getReceivedProduct: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Name of the product, exactly as it was reported. */
      productName: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Start of the window: a Go duration before now, such as `720h`, or a UTC day `YYYY-MM-DD`. Default `4392h`. */
      limit?: string;
    };
    body: undefined;
    answer: ReceivedProduct;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the events of a product in the last `lastDays` days, newest first, then by key */
  listEvents: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Name of the product, exactly as it was reported. */
      productName: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** 1 to 14, default 14. */
      lastDays?: number;
      /** Number of the page, from 1. Without `page` and `per_page`, a response has at most 1,000 rows by default. … */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      per_page?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ResourceEvent[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Counts the events of a product, and returns their times */
  getEventsReport: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Name of the product, exactly as it was reported. */
      productName: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** API group; `core` for the empty group. */
      group?: string;
      /** Name of the resource, such as `pods`. */
      resource?: string;
      /** UID of an object. */
      rid?: string;
    };
    body: undefined;
    answer: EventsReport;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads an event of a product, including the whole object */
  getRawEvent: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Name of the product, exactly as it was reported. */
      productName: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** Key of the object, as in lists. */
      key: string;
      /** An unsigned integer. */
      version: string;
    };
    body: undefined;
    answer: ResourceValue;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Asks the agent of the product in the cluster for the history of resources */
  getResources: {
    parameters: {
      /** Id of the account. */
      uid: string;
      /** UUID of the cluster. */
      cid: string;
      /** Licence id. */
      lid: string;
      /** Name of the product, exactly as it was reported. */
      productName: string;
      /** Slug of an organization. It does not filter the data. */
      org: string;
      /** API group. */
      group?: string;
      /** Name of the resource, such as `pods`. */
      resource?: string;
    };
    body: undefined;
    answer: ResourceHistoryList;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reports one namespace with databases */
  getNamespaceReport: {
    parameters: {
      /** UUID of the cluster. */
      clusterID: string;
      /** Name of the namespace. */
      namespaceName: string;
      /** Slug of the organization. */
      org: string;
    };
    body: undefined;
    answer: NamespaceReport;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reports each namespace with databases, in clusters that are bound to active contracts with client billing */
  listNamespaceReports: {
    parameters: {
      /** Slug of the organization. */
      org: string;
    };
    body: undefined;
    answer: NamespaceReports;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns whether sign-up is disabled */
  getRegistration: {
    parameters: Record<string, never>;
    body: undefined;
    answer: OrgsRegistration;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Disables or enables sign-up */
  updateRegistration: {
    parameters: {
      /** Slug of the organization to act for. */
      org: string;
    };
    body: RegistrationOptionsInput;
    answer: OrgsRegistration;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Issues an online licence for a cluster under an active contract of the account */
  issueLicense: {
    parameters: {
      /** Slug of the organization to act for. Default: the caller's own account. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: LicenseWishInput | undefined;
    answer: License;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'contract_expired'
      | 'contract_not_started'
      | 'contract_revoked'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'issuer_unavailable'
      | 'malformed_body'
      | 'missing_scope'
      | 'no_active_contract'
      | 'not_found'
      | 'not_org_member'
      | 'quota_exceeded'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Authorizes a request for metrics */
  authorize: {
    parameters: {
      /** Identity of the backend: `{ownerID}.{clusterUID}` or `{ownerID}.{clusterUID}.{projectId}`. */
      uidcid: string;
      /** The rest of the proxied path. It is not interpreted and may be empty. */
      path: string;
    };
    body: undefined;
    answer: AuthorizeAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Registers a metrics backend of a cluster, and a datasource in the dashboard of flavor B (Perses) */
  registerFlavorB: {
    parameters: {
      /** Slug of the organization or user to act for. Default: the owner of the cluster. */
      org: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: MetricsproxyRegistrationInput;
    answer: FlavorBAnswer;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes a metrics backend of a cluster from flavor B */
  unregisterFlavorB: {
    parameters: {
      /** Slug of the organization or user to act for. Default: the owner of the cluster. */
      org: string;
    };
    body: BackendContextInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Registers a metrics backend of a cluster, and a datasource in the dashboard of flavor A (Grafana) */
  registerFlavorA: {
    parameters: {
      /** Slug of the organization or user to act for. Default: the owner of the cluster. */
      org: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: MetricsproxyRegistrationInput;
    answer: FlavorAAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes a metrics backend of a cluster, its tokens and its datasource in flavor A */
  unregisterFlavorA: {
    parameters: {
      /** Slug of the organization or user to act for. Default: the owner of the cluster. */
      org: string;
    };
    body: BackendContextInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Creates an organization with its teams Owners, Editors and Viewers; the caller becomes the only member of Own… */
  createOrganization: {
    parameters: {
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateOrganizationFields;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_scope'
      | 'org_creation_denied'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_organizations'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns the claim id of the oldest standalone organization that can be claimed, if there is one */
  getOldestClaim: {
    parameters: Record<string, never>;
    body: undefined;
    answer: ClaimCheck;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Makes the caller the owner of a standalone organization */
  claimOrganization: {
    parameters: {
      /** 26 upper-case letters and digits. Any other text gets `not_found`. */
      claimID: string;
    };
    body: undefined;
    answer: ClaimedOrganization;
    code:
      | 'account_disabled'
      | 'already_claimed'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_claimable'
      | 'not_found'
      | 'org_creation_denied'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads an organization */
  getOrganization: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes the profile of an organization */
  updateOrganization: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: UpdateOrganizationFields;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes an organization */
  deleteOrganization: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'client_org'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_last_owner'
      | 'not_org_member'
      | 'org_in_use'
      | 'precondition_failed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the changes in an organization, newest first */
  listOrganizationAudit: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Only changes by this actor: login of an account, `operator` or `platform`. */
      actor?: string;
      /** Only this action, as in AuditRecord. */
      action?: string;
      /** Only changes of this object, as type and id: `team:7`. */
      object?: string;
      /** Only changes at or after this time. */
      since?: string;
      /** Only changes before this time. */
      until?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AuditRecord[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the URL of the picture */
  getAvatar: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: string;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Stores a new picture from an upload or an outside avatar service */
  updateAvatar: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: FormData;
    answer: string;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Restores the picture that is generated from the name of the organization */
  deleteAvatar: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Invites an address into a team by mail */
  createTeamInvitation: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateTeamInvitationFields;
    answer: TeamInvitation;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the open invitations into the teams that the caller may add people to, by ascending id */
  listTeamInvitations: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly TeamInvitation[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Withdraws an invitation */
  deleteTeamInvitation: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the invitation. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Succeeds if the caller is an owner or a site admin */
  checkOwner: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the sync token of an organization, including the secret */
  getSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: SyncToken;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Sets the sync token of an organization */
  createSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateSyncTokenFields;
    answer: TokenCreated;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_manager_origin'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes the sync token of an organization */
  deleteSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the caller's own sync token in an organization */
  getUserSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: SyncToken;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Sets the caller's own sync token in an organization */
  createUserSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateUserSyncTokenFields;
    answer: TokenCreated;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_manager_origin'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Removes the caller's own sync token in an organization */
  deleteUserSyncToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists members, by ascending id */
  listMembers: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly User[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Makes a membership public or private, removes a member, or lets the caller leave the organization */
  changeMember: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** `private`, `public`, `remove` or `leave`. */
      action: 'private' | 'public' | 'remove' | 'leave';
      /** Id of the account that the action applies to. */
      uid: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'last_owner'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_self'
      | 'rate_limited'
      | 'site_admin_protected'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Succeeds if a user is a member */
  checkMember: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes a member from all teams of the organization */
  removeMember: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'last_owner'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'site_admin_protected'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the public members, by ascending id */
  listPublicMembers: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly User[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Succeeds if a user is a public member */
  checkPublicMember: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Makes the caller's own membership public */
  showMembership: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** The caller's own login. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_self'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Hides the caller's own membership */
  hideMembership: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** The caller's own login. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_self'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the teams of an organization, by ascending id */
  listTeams: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Team[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates a team */
  createTeam: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateTeamFields;
    answer: Team;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_name'
      | 'invalid_parameter'
      | 'invalid_team_type'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'too_many_roles'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lets the caller join or leave a team, or add or remove a user */
  changeMembership: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the team. */
      teamid: number;
      /** `join`, `leave`, `remove` or `add`. */
      action: 'join' | 'leave' | 'remove' | 'add';
      /** Id of the account that the action applies to. */
      uid: number;
      /** Login of the same account. With `add`, it must match `uid`. */
      uname?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'already_member'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'last_owner'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_self'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'site_admin_protected'
      | 'target_is_organization'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the access tokens of the organization's system admin, by ascending id, without their values */
  listAccessTokens: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AccessTokenInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'system_admin_missing'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates an access token of the organization's system admin */
  createAccessToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateAccessTokenFields;
    answer: AccessTokenInfo;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'system_admin_missing'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Revokes an access token of the organization's system admin at once */
  deleteAccessToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the access token. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'system_admin_missing'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the message-bus accounts of the organization's system admin, by ascending id */
  listBusTokens: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly BusAccount[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'system_admin_missing'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates a message-bus account of the organization's system admin for a product in a cluster */
  createBusToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateBusTokenFields;
    answer: BusTokenCreated;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'system_admin_missing'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Revokes a message-bus account */
  revokeBusToken: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the bus account. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bus_user_not_found'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'system_admin_missing'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the profile of a user, who need not be a member */
  getProfile: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: Profile;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the endpoints of an organization, by ascending id */
  listWebhooks: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Webhook[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Adds an endpoint, and returns its secret */
  createWebhook: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateWebhookFields;
    answer: Webhook;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Changes an endpoint */
  updateWebhook: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the endpoint. */
      id: number;
    };
    body: UpdateWebhookFields;
    answer: Webhook;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes an endpoint and its deliveries */
  deleteWebhook: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the endpoint. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the deliveries to an endpoint, newest first */
  listWebhookDeliveries: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the endpoint. */
      id: number;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly WebhookDelivery[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Queues a delivery again, with the same event id */
  resendWebhookDelivery: {
    parameters: {
      /** Slug of the organization. */
      orgname: string;
      /** Id of the endpoint. */
      id: number;
      /** Id of the delivery. */
      delivery: number;
    };
    body: ResendWebhookDeliveryFields;
    answer: WebhookDelivery;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Checks that provider A can be reached */
  checkProviderA: {
    parameters: Record<string, never>;
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reports usage to provider A */
  reportUsageToProviderA: {
    parameters: Record<string, never>;
    body: ReportUsageToProviderAFields;
    answer: ReportUsageToProviderAAnswer;
    code:
      | 'account_disabled'
      | 'bad_upstream'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Checks the platform's credentials at provider C */
  checkProviderC: {
    parameters: Record<string, never>;
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reports usage to provider C, and returns the provider's response */
  reportUsageToProviderC: {
    parameters: Record<string, never>;
    body: ReportUsageToProviderCFields;
    answer: Record<string, unknown>;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Registers the licence of a cluster */
  registerLicense: {
    parameters: Record<string, never>;
    body: RegisterLicenseFields;
    answer: Blob;
    code:
      | 'body_too_large'
      | 'cluster_not_registered'
      | 'conflict'
      | 'deadline_exceeded'
      | 'empty_features'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_license'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'registration_unsupported'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads a team */
  getTeam: {
    parameters: {
      /** Id of the team. */
      teamid: number;
    };
    body: undefined;
    answer: Team;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes a team, except the team Owners */
  updateTeam: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: UpdateTeamFields;
    answer: Team;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_name'
      | 'invalid_parameter'
      | 'invalid_team_type'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'owners_team_immutable'
      | 'precondition_failed'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'too_many_roles'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a team */
  deleteTeam: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'owners_team_immutable'
      | 'precondition_failed'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the members of a team, by ascending id */
  listTeamMembers: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly User[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a member of a team */
  getTeamMember: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: User;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Adds a user to a team */
  addTeamMember: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** Login of the user. */
      username: string;
      /** Whether to request cluster-admin rights for the user on each cluster of the organization. Ignored unless … */
      autoConnectClusters?: boolean;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'privilege_escalation'
      | 'rate_limited'
      | 'target_is_organization'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes a user from a team */
  removeTeamMember: {
    parameters: {
      /** Id of the team. */
      teamid: number;
      /** Login of the user. */
      username: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'last_owner'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'site_admin_protected'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the caller's own account */
  getUser: {
    parameters: Record<string, never>;
    body: undefined;
    answer: User;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates a client organization, and its owner if `userName` names no account */
  createClientOrganization: {
    parameters: {
      /** Slug of the organization to act for. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: ClientOrgParamsInput;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Deletes a client organization and its resources on spokes */
  deleteClientOrganization: {
    parameters: {
      /** Id of the client organization. */
      id: number;
      /** Slug of the organization to act for. */
      org?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'gateway_in_use'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'org_in_use'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads a client organization */
  getClientOrganization: {
    parameters: {
      /** Id of the client organization. */
      id: number;
      /** Slug of the organization to act for. */
      org?: string;
    };
    body: undefined;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Imports a further spoke for a client organization */
  addClientCluster: {
    parameters: {
      /** Slug of the client organization. */
      orgname: string;
      /** Slug of the organization to act for. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: AddClusterParamsInput;
    answer: Organization;
    code:
      | 'account_disabled'
      | 'already_imported'
      | 'ambiguous_credentials'
      | 'bad_upstream'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns the status of a client organization on one spoke */
  getClientClusterStatus: {
    parameters: {
      /** Slug of the client organization. */
      orgname: string;
      /** Name of the spoke. */
      cluster: string;
      /** Slug of the organization to act for. */
      org?: string;
    };
    body: undefined;
    answer: ClientOrgStatus;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes the resources of a client organization from a spoke */
  removeClientCluster: {
    parameters: {
      /** Slug of the client organization. */
      orgname: string;
      /** Slug of the organization to act for. */
      org?: string;
    };
    body: RemoveClusterParamsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'gateway_in_use'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns the status of a client organization */
  getClientOrganizationStatus: {
    parameters: {
      /** Slug of the client organization. */
      orgname: string;
      /** Slug of the organization to act for. */
      org?: string;
    };
    body: undefined;
    answer: ClientOrgStatus;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists all client organizations by ascending id, including those that are being deleted */
  listClientOrganizations: {
    parameters: {
      /** Slug of the organization to act for; it does not filter the list. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Organization[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the contracts of the account, by ascending id */
  listUserContracts: {
    parameters: {
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the active contracts of the account that allow offline licences, by ascending id */
  listActiveOfflineContracts: {
    parameters: {
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the clusters of all active contracts of the account, each once, by ascending UUID */
  listAssociatedClusters: {
    parameters: {
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AssociatedCluster[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Reads the status of each given cluster as GetUserClusterStatus does, in the order of the request */
  listUserClusterStatuses: {
    parameters: {
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Id of a contract of the account. It need not be active. Only bindings to this contract are read. */
      contract?: number;
    };
    body: ClusterBatchInput;
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads the status of a cluster in the given contract of the account */
  getUserClusterStatus: {
    parameters: {
      /** UUID of the cluster. */
      clusterID: string;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Id of a contract of the account. It need not be active. Only the binding to this contract is read. */
      contract?: number;
    };
    body: undefined;
    answer: ContractClusterStatus;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the account's active contracts to which the given cluster is bound, by ascending id */
  listContractsOfCluster: {
    parameters: {
      /** UUID of the cluster. */
      clusterID: string;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Only contracts that allow offline licences. */
      onlyOffline?: boolean;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the account's active contracts to which the given cluster is not bound, by ascending id */
  listOtherContracts: {
    parameters: {
      /** UUID of the cluster. */
      clusterID: string;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Contract[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Binds a cluster to the given active contracts of the account */
  assignCluster: {
    parameters: {
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: ClusterAssignmentInput;
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'empty_list'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_contract'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads a contract of the account */
  getUserContract: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
    };
    body: undefined;
    answer: Contract;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the recorded events of a contract, newest first */
  listUserAuditEvents: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly AuditEvent[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the clusters bound to a contract, by ascending id */
  listUserContractClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Binds clusters to a contract of the account, all or none, and returns all clusters of the contract */
  addUserContractClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: readonly ClusterReferenceInput[];
    answer: readonly ContractClusterStatus[];
    code:
      | 'account_disabled'
      | 'already_associated'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'empty_list'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_contract'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the clusters that the account has imported and that are not bound to the contract, by ascending id */
  listUserImportableClusters: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly ClusterInfo[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'contract_not_found'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Removes a cluster from a contract */
  deleteUserContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Issues an offline licence for a cluster of a contract of the account */
  issueUserContractLicense: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the organization to act for. Default: the caller's own account. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: undefined;
    answer: License;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'contract_expired'
      | 'contract_not_started'
      | 'contract_revoked'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'issuer_unavailable'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'offline_not_allowed'
      | 'quota_exceeded'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Renames a cluster in a contract */
  renameUserContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
    };
    body: ClusterNameInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Replaces the tags of a cluster in all the account's contracts to which the cluster is bound */
  tagUserContractCluster: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Id of the cluster in the contract. */
      ccID: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
    };
    body: ClusterTagsInput;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Returns a link to the document of a contract */
  getUserDocumentLink: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
    };
    body: undefined;
    answer: string;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes the owner's preferences for a contract, even if the contract is revoked or has expired */
  updatePreferences: {
    parameters: {
      /** Id of the contract. */
      id: number;
      /** Slug of the organization that owns the contracts. Default: the caller's own account. */
      org?: string;
      /** `ETag` of an earlier read. The request is refused if the object has changed since then. */
      'If-Match'?: string;
    };
    body: PreferencesInput;
    answer: Contract;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_email'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'precondition_failed'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Begins to bind a user of a provider to the caller's account */
  bindIdentity: {
    parameters: {
      /** Name of the provider. */
      provider: string;
    };
    body: BindIdentityFields | undefined;
    answer: ProviderAddress;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Generates an installer of the licence proxy */
  createLicenseProxy: {
    parameters: {
      /** Slug of the organization to act for. Default: the caller's own account. */
      org?: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: LicenseProxyWishInput | undefined;
    answer: LicenseProxyInstaller;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_contract'
      | 'invalid_parameter'
      | 'issuer_unavailable'
      | 'malformed_body'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'offline_not_allowed'
      | 'quota_exceeded'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Lists the organizations that the caller is a member of, by ascending name */
  listUserOrganizations: {
    parameters: {
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Organization[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the sessions of the caller, by ascending id */
  listSessions: {
    parameters: {
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly Session[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Ends a session of the caller */
  endSession: {
    parameters: {
      /** Id of the session. */
      id: number;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_scope'
      | 'not_found'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Changes the caller's own profile */
  updateUserSettings: {
    parameters: Record<string, never>;
    body: UpdateUserSettingsFields;
    answer: UserSettings;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'missing_scope'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Finds users who may sign in, by the beginning of their login or full name */
  searchUsers: {
    parameters: {
      /** Prefix of the login or the full name, ignoring case: 2 to 100 characters. */
      q: string;
    };
    body: undefined;
    answer: SearchUsersAnswer;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'missing_scope'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the access tokens of a user, by ascending id, without their values */
  listUserTokens: {
    parameters: {
      /** Login of the user. */
      username: string;
      /** Number of the page, from 1. Without `page` and `limit`, a response has at most 1,000 rows by default. Ove… */
      page?: number;
      /** Rows per page. Values above 50 count as 50. Default: 30 if `page` is given. */
      limit?: number;
      /** `next` of a previous response. The page then begins after the last row of that response. The value of `pa… */
      after?: string;
    };
    body: undefined;
    answer: readonly UserToken[];
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Creates an access token of the caller */
  createUserToken: {
    parameters: {
      /** Login of the caller. */
      username: string;
      /** Identifies the request. For 24 hours, a repeat with the same key and body returns the first response, if … */
      'Idempotency-Key'?: string;
    };
    body: CreateUserTokenFields;
    answer: UserToken;
    code:
      | 'account_disabled'
      | 'already_exists'
      | 'ambiguous_credentials'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'idempotency_key_reused'
      | 'internal'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'not_self'
      | 'rate_limited'
      | 'request_timeout'
      | 'too_many_items'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Revokes an access token of a user, and ends the sessions that began with the token */
  deleteUserToken: {
    parameters: {
      /** Login of the user. */
      username: string;
      /** Id or name of the token. */
      token: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'missing_org'
      | 'missing_scope'
      | 'not_found'
      | 'not_org_member'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the version of the server application */
  getVersion: {
    parameters: Record<string, never>;
    body: undefined;
    answer: GetVersionAnswer;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Accepts an invitation into a team and begins a session */
  acceptTeamInvitation: {
    parameters: {
      /** The text after `#invitation=` in the link. */
      code: string;
    };
    body: AcceptTeamInvitationFields | undefined;
    answer: undefined;
    code:
      | 'already_exists'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'link_expired'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Begins a session with the link that the launcher prints */
  signInByLink: {
    parameters: {
      /** The text after `#link=` in the link. */
      code: string;
    };
    body: SignInByLinkFields | undefined;
    answer: undefined;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'link_expired'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Redirects a browser to a provider */
  beginOidc: {
    parameters: {
      /** Name of the provider. */
      provider: string;
      /** Path of the page to return to, beginning with `/`. Default: `/`. */
      to?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Completes a sign-in, or a binding that BindIdentity began */
  finishOidc: {
    parameters: {
      /** Name of the provider. */
      provider: string;
      /** Authorization code of the provider. */
      code?: string;
      /** The parameter `state` of the provider's redirect. */
      state?: string;
      /** Issuer of the answer (RFC 9207). */
      iss?: string;
      /** Error code of a provider that refuses. */
      error?: string;
    };
    body: undefined;
    answer: undefined;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Lists the configured providers (`auth.oidc`) */
  listProviders: {
    parameters: Record<string, never>;
    body: undefined;
    answer: readonly Provider[];
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the signed-in user, and when the session or the token ends */
  getSession: {
    parameters: Record<string, never>;
    body: undefined;
    answer: CurrentSession;
    code:
      | 'account_disabled'
      | 'ambiguous_credentials'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Mails a sign-in link if an account with this address may sign in */
  askForSignIn: {
    parameters: Record<string, never>;
    body: AskForSignInFields;
    answer: undefined;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Begins a session with a mailed sign-in link */
  signInByMail: {
    parameters: {
      /** The text after `#mail=` in the link. */
      code: string;
    };
    body: SignInByMailFields | undefined;
    answer: undefined;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'link_expired'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Begins a session with an access token */
  signInByToken: {
    parameters: Record<string, never>;
    body: SignInByTokenFields;
    answer: undefined;
    code:
      | 'account_disabled'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'unauthenticated'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Ends the session of the cookie and deletes the cookie */
  signOut: {
    parameters: Record<string, never>;
    body: SignOutFields | undefined;
    answer: undefined;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Requests an account */
  signUp: {
    parameters: Record<string, never>;
    body: SignUpFields;
    answer: undefined;
    code:
      | 'already_exists'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_domain'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'registration_disabled'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Creates the account for which a link was mailed, and begins a session */
  finishSignUp: {
    parameters: {
      /** The text after `#sign-up=` in the link. */
      code: string;
    };
    body: FinishSignUpFields | undefined;
    answer: undefined;
    code:
      | 'already_exists'
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'https_required'
      | 'internal'
      | 'invalid_domain'
      | 'invalid_parameter'
      | 'link_expired'
      | 'malformed_body'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'registration_disabled'
      | 'request_timeout'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long'
      | 'validation_failed';
  };
  /** Reads a picture by the last part of its URL */
  getPicture: {
    parameters: {
      /** 32 lower-case hexadecimal characters. Any other text gets `not_found`. */
      hash: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Downloads a document by its link */
  downloadDocument: {
    parameters: {
      /** Name of the file. */
      name: string;
      /** When the link expires, in unix seconds. */
      expires?: string;
      /** Signature of the platform, which makes the link valid. */
      signature?: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Downloads the archive of an installer by its link */
  downloadArchive: {
    parameters: {
      /** Id of the account that has the installer. */
      ownerID: string;
      /** Name of the installer. */
      installerName: string;
      /** `{installerId}-{random}` */
      archive: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns an HTML page with a button that accepts the invitation */
  showInvitation: {
    parameters: {
      /** Id of the user. */
      user: number;
      /** When the link expires, in unix seconds. */
      expires?: string;
      /** Signature of the platform over the user and the time. */
      signature?: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Accepts an invitation */
  acceptInvitation: {
    parameters: {
      /** Id of the user. */
      user: number;
      /** When the link expires, in unix seconds. */
      expires?: string;
      /** Signature of the platform over the user and the time. */
      signature?: string;
    };
    body: undefined;
    answer: Blob;
    code:
      | 'conflict'
      | 'deadline_exceeded'
      | 'forbidden'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Binds an installer to a cluster */
  receiveProviderA: {
    parameters: Record<string, never>;
    body: Blob | undefined;
    answer: BoundInstaller;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_binding'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'source_denied'
      | 'subscription_closed'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long';
  };
  /** Creates or updates (PUT), ends (DELETE) or binds (BIND) the subscription of an application */
  receiveProviderB: {
    parameters: {
      /** The secret that the marketplace shares with the platform. Each request must contain it exactly once. */
      secret?: readonly string[];
    };
    body: Blob | undefined;
    answer: Blob;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_binding'
      | 'invalid_parameter'
      | 'invalid_value'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'secret_mismatch'
      | 'subscription_closed'
      | 'subscription_not_found'
      | 'too_many_items'
      | 'unavailable'
      | 'unknown_event_type'
      | 'unsupported_media_type'
      | 'uri_too_long';
  };
  /** Binds an installer to a cluster */
  receiveProviderC: {
    parameters: {
      /** The secret shared with the marketplace, exactly once per request. It is not checked for the test installe… */
      secret?: readonly string[];
    };
    body: Blob | undefined;
    answer: BoundInstaller;
    code:
      | 'body_too_large'
      | 'conflict'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'installer_already_bound'
      | 'internal'
      | 'invalid_binding'
      | 'invalid_parameter'
      | 'malformed_body'
      | 'rate_limited'
      | 'request_timeout'
      | 'secret_mismatch'
      | 'subscription_closed'
      | 'too_many_items'
      | 'unavailable'
      | 'unsupported_media_type'
      | 'uri_too_long';
  };
  /** Returns whether a standalone organization can be claimed */
  checkClaimable: {
    parameters: {
      /** 26 upper-case letters and digits. Any other text gets `not_found`. */
      claimID: string;
    };
    body: undefined;
    answer: ClaimableCheck;
    code:
      | 'already_claimed'
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'method_not_allowed'
      | 'not_found'
      | 'rate_limited'
      | 'retry_backoff'
      | 'unavailable'
      | 'uri_too_long';
  };
  /** Returns the version of the listener */
  getListenerVersion: {
    parameters: Record<string, never>;
    body: undefined;
    answer: ServerVersion;
    code:
      | 'deadline_exceeded'
      | 'headers_too_large'
      | 'internal'
      | 'invalid_parameter'
      | 'rate_limited'
      | 'unavailable'
      | 'uri_too_long';
  };
}

/** The method, the path and the parameters of each operation. */
export const routes = {
  listSiteAudit: { verb: 'GET', path: '/api/v1/admin/audit', query: ['actor', 'action', 'object', 'since', 'until', 'page', 'limit', 'after'], headers: [] },
  listSiteInstallers: { verb: 'GET', path: '/api/v1/admin/installers', query: ['after'], headers: [] },
  listSiteAuthorities: { verb: 'GET', path: '/api/v1/admin/license-cas', query: [], headers: [] },
  listSiteOrganizations: { verb: 'GET', path: '/api/v1/admin/orgs', query: ['q', 'page', 'limit', 'after'], headers: [] },
  listSiteParkedEvents: { verb: 'GET', path: '/api/v1/admin/parked-events', query: ['after'], headers: [] },
  replaySiteParkedEvents: { verb: 'POST', path: '/api/v1/admin/parked-events/replay', query: [], headers: [] },
  getSiteStatus: { verb: 'GET', path: '/api/v1/admin/status', query: [], headers: [] },
  listSiteUsers: { verb: 'GET', path: '/api/v1/admin/users', query: ['q', 'active', 'admin', 'page', 'limit', 'after'], headers: [] },
  addSiteUser: { verb: 'POST', path: '/api/v1/admin/users', query: [], headers: ['Idempotency-Key'] },
  changeSiteUser: { verb: 'PATCH', path: '/api/v1/admin/users/{username}', query: [], headers: [] },
  removeSiteUser: { verb: 'DELETE', path: '/api/v1/admin/users/{username}', query: ['leaveOrganizations'], headers: [] },
  listSiteWebhooks: { verb: 'GET', path: '/api/v1/admin/webhooks', query: ['page', 'limit', 'after'], headers: [] },
  createSiteWebhook: { verb: 'POST', path: '/api/v1/admin/webhooks', query: [], headers: ['Idempotency-Key'] },
  updateSiteWebhook: { verb: 'PATCH', path: '/api/v1/admin/webhooks/{id}', query: [], headers: [] },
  deleteSiteWebhook: { verb: 'DELETE', path: '/api/v1/admin/webhooks/{id}', query: [], headers: [] },
  listSiteWebhookDeliveries: { verb: 'GET', path: '/api/v1/admin/webhooks/{id}/deliveries', query: ['page', 'limit', 'after'], headers: [] },
  resendSiteWebhookDelivery: { verb: 'POST', path: '/api/v1/admin/webhooks/{id}/deliveries/{delivery}/resend', query: [], headers: [] },
  listAllowedDomains: { verb: 'GET', path: '/api/v1/allowed-domains', query: ['page', 'limit', 'after'], headers: [] },
  addAllowedDomain: { verb: 'POST', path: '/api/v1/allowed-domains', query: ['org'], headers: ['Idempotency-Key'] },
  removeAllowedDomain: { verb: 'PATCH', path: '/api/v1/allowed-domains', query: ['org'], headers: [] },
  explainPermission: { verb: 'POST', path: '/api/v1/authz/explain', query: ['org'], headers: [] },
  listAllowedPermissions: { verb: 'POST', path: '/api/v1/authz/objects/allowed-permissions', query: ['org'], headers: [] },
  getAllowedPermissions: { verb: 'GET', path: '/api/v1/authz/objects/{objectType}/{objectID}/allowed-permissions', query: ['org'], headers: [] },
  listRoles: { verb: 'GET', path: '/api/v1/authz/roles', query: ['org', 'page', 'limit', 'after'], headers: [] },
  createRole: { verb: 'POST', path: '/api/v1/authz/roles', query: ['org'], headers: ['Idempotency-Key'] },
  listAvailablePermissions: { verb: 'GET', path: '/api/v1/authz/roles/available_permissions', query: ['org'], headers: [] },
  getRole: { verb: 'GET', path: '/api/v1/authz/roles/{id}', query: ['org'], headers: [] },
  updateRole: { verb: 'PUT', path: '/api/v1/authz/roles/{id}', query: ['org'], headers: ['If-Match'] },
  deleteRole: { verb: 'DELETE', path: '/api/v1/authz/roles/{id}', query: ['org'], headers: ['If-Match'] },
  listRolePrincipals: { verb: 'GET', path: '/api/v1/authz/roles/{id}/principals', query: ['org', 'page', 'limit', 'after'], headers: [] },
  getBranding: { verb: 'GET', path: '/api/v1/branding', query: [], headers: [] },
  updateBranding: { verb: 'POST', path: '/api/v1/branding', query: ['org'], headers: [] },
  listImportedClusters: { verb: 'GET', path: '/api/v1/clusters', query: ['org', 'page', 'limit', 'after'], headers: [] },
  createCluster: { verb: 'POST', path: '/api/v1/clusters', query: ['org'], headers: ['Idempotency-Key'] },
  getCluster: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}', query: [], headers: [] },
  updateCluster: { verb: 'PATCH', path: '/api/v1/clusters/{owner}/{cluster}', query: [], headers: ['If-Match'] },
  deleteCluster: { verb: 'DELETE', path: '/api/v1/clusters/{owner}/{cluster}', query: ['force'], headers: ['If-Match'] },
  listAvailableClusters: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/available-clusters', query: ['page', 'limit', 'after'], headers: [] },
  listAvailableClusterSets: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/available-clustersets', query: ['type', 'page', 'limit', 'after'], headers: [] },
  listBoundNamespaces: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/bound-namespaces', query: [], headers: [] },
  bindNamespace: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/bound-namespaces/bind', query: [], headers: ['Idempotency-Key'] },
  unbindNamespace: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/bound-namespaces/unbind', query: [], headers: [] },
  listClusterSets: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets', query: ['page', 'limit', 'after'], headers: [] },
  addClusters: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/add', query: [], headers: [] },
  createClusterSet: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/create', query: [], headers: ['Idempotency-Key'] },
  deleteClusterSet: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/delete', query: [], headers: [] },
  removeClusters: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/remove', query: [], headers: [] },
  getAuthInfo: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/auth-info', query: [], headers: [] },
  startAutoUpdate: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/auto-update', query: [], headers: [] },
  checkAutoUpdate: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/auto-update/check', query: [], headers: [] },
  listClustersToAdd: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/clusterlist', query: ['page', 'limit', 'after'], headers: [] },
  listClustersOfSet: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/clusters', query: ['page', 'limit', 'after'], headers: [] },
  disableFeatureSet: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/disable-featureset', query: [], headers: [] },
  listFeatureSets: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/featuresets', query: ['page', 'limit', 'after'], headers: [] },
  installFeatureSet: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/install-featureset', query: [], headers: ['Idempotency-Key'] },
  getSyncStatusOfAllFeatures: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/sync-status/all-features', query: [], headers: [] },
  getFeaturesVersion: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/sync-status/opscenter-features-version', query: [], headers: [] },
  getSyncStatusOfFeature: { verb: 'GET', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/sync-status/{feature}', query: [], headers: [] },
  updateFeatureSet: { verb: 'POST', path: '/api/v1/clusters/{owner}/{cluster}/clustersets/{clusterset}/{managedCluster}/update-featureset', query: [], headers: [] },
  listContracts: { verb: 'GET', path: '/api/v1/contracts', query: ['org', 'page', 'limit', 'after'], headers: [] },
  createContracts: { verb: 'POST', path: '/api/v1/contracts', query: ['org'], headers: ['Idempotency-Key'] },
  listClusterStatuses: { verb: 'POST', path: '/api/v1/contracts/active/associated-clusters/batch-status', query: ['org', 'orgOrUserId', 'contract'], headers: [] },
  getClusterStatus: { verb: 'GET', path: '/api/v1/contracts/active/associated-clusters/{clusterID}/status', query: ['org', 'orgOrUserId', 'contract'], headers: [] },
  listProducts: { verb: 'GET', path: '/api/v1/contracts/available_products', query: ['org'], headers: [] },
  getContract: { verb: 'GET', path: '/api/v1/contracts/{id}', query: ['org'], headers: [] },
  updateContract: { verb: 'PUT', path: '/api/v1/contracts/{id}', query: ['org'], headers: ['If-Match'] },
  deleteContract: { verb: 'DELETE', path: '/api/v1/contracts/{id}', query: ['org'], headers: ['If-Match'] },
  listAuditEvents: { verb: 'GET', path: '/api/v1/contracts/{id}/audit', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listContractClusters: { verb: 'GET', path: '/api/v1/contracts/{id}/clusters', query: ['org', 'page', 'limit', 'after'], headers: [] },
  addContractClusters: { verb: 'POST', path: '/api/v1/contracts/{id}/clusters', query: ['org'], headers: ['Idempotency-Key'] },
  listImportableClusters: { verb: 'GET', path: '/api/v1/contracts/{id}/clusters/imported/non-associated', query: ['org', 'page', 'limit', 'after'], headers: [] },
  deleteContractCluster: { verb: 'DELETE', path: '/api/v1/contracts/{id}/clusters/{ccID}', query: ['org'], headers: [] },
  issueContractLicense: { verb: 'POST', path: '/api/v1/contracts/{id}/clusters/{ccID}/issue-license', query: ['org'], headers: ['Idempotency-Key'] },
  renameContractCluster: { verb: 'PATCH', path: '/api/v1/contracts/{id}/clusters/{ccID}/name', query: ['org'], headers: [] },
  tagContractCluster: { verb: 'PATCH', path: '/api/v1/contracts/{id}/clusters/{ccID}/tags', query: ['org'], headers: [] },
  getDocumentLink: { verb: 'GET', path: '/api/v1/contracts/{id}/document', query: ['org'], headers: [] },
  extendContract: { verb: 'POST', path: '/api/v1/contracts/{id}/extend', query: ['org'], headers: [] },
  revokeContract: { verb: 'POST', path: '/api/v1/contracts/{id}/revoke', query: ['org'], headers: [] },
  listActiveLicensesOfCluster: { verb: 'GET', path: '/api/v1/dashboard/clusters/{cid}/licenses/active', query: ['org', 'limit', 'page', 'per_page', 'after'], headers: [] },
  getSettingWarnings: { verb: 'GET', path: '/api/v1/dashboard/marketplaces/settings/warnings', query: ['org'], headers: [] },
  listSubscriptions: { verb: 'GET', path: '/api/v1/dashboard/marketplaces/subscriptions', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  getSubscription: { verb: 'GET', path: '/api/v1/dashboard/marketplaces/{marketplace}/{subscriptionId}', query: ['org'], headers: [] },
  revokeSubscription: { verb: 'DELETE', path: '/api/v1/dashboard/marketplaces/{marketplace}/{subscriptionId}', query: ['org'], headers: [] },
  getAuditLogs: { verb: 'GET', path: '/api/v1/dashboard/marketplaces/{marketplace}/{subscriptionId}/audit-logs', query: ['org'], headers: [] },
  pingSubscription: { verb: 'GET', path: '/api/v1/dashboard/marketplaces/{marketplace}/{subscriptionId}/ping', query: ['org'], headers: [] },
  getGeneratedMonths: { verb: 'GET', path: '/api/v1/dashboard/summary/generated-months', query: ['org'], headers: [] },
  getObjectQuotaHistory: { verb: 'GET', path: '/api/v1/dashboard/summary/object-quota-history/clusters/{clusterUID}/objects/{objectID}', query: ['org'], headers: [] },
  downloadMonth: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/download', query: ['org'], headers: [] },
  getBackupClustersUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productbackup/views/clusters-usage-view', query: ['org', 'view_type', 'contractID'], headers: [] },
  getBackupContractsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productbackup/views/contracts-usage-view', query: ['org', 'view_type'], headers: [] },
  getClustersUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/clusters-usage-view', query: ['org', 'view_type', 'group', 'kind', 'contractID'], headers: [] },
  getContractsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/contracts-usage-view', query: ['org', 'view_type'], headers: [] },
  getGroupKindsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/gks-usage-view', query: ['org', 'view_type', 'clusterUID'], headers: [] },
  getNamespacesUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/namespaces-usage-view', query: ['org', 'view_type', 'clusterUID'], headers: [] },
  getQuotaHistorySummaries: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/object-quota-history-summaries-view', query: ['org'], headers: [] },
  getMonthQuotaHistory: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/object-quota-history-summaries-view/clusters/{clusterUID}/objects/{objectID}', query: ['org'], headers: [] },
  getClusterModeUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/objects-cluster-mode-usage-view', query: ['org'], headers: [] },
  getObjectClusterModeUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/objects-cluster-mode-usage-view/clusters/{clusterUID}/objects/{objectID}', query: ['org'], headers: [] },
  getObjectsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productdb/views/objects-usage-view', query: ['org', 'view_type', 'group', 'kind', 'clusterUID', 'namespace', 'namespaceUID'], headers: [] },
  getIngressClustersUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productingress/views/clusters-usage-view', query: ['org', 'view_type', 'contractID'], headers: [] },
  getIngressContractsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productingress/views/contracts-usage-view', query: ['org', 'view_type'], headers: [] },
  getVaultClustersUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productvault/views/clusters-usage-view', query: ['org', 'view_type', 'contractID'], headers: [] },
  getVaultContractsUsage: { verb: 'GET', path: '/api/v1/dashboard/summary/{year}/{month}/usage-report/products/productvault/views/contracts-usage-view', query: ['org', 'view_type'], headers: [] },
  createOutage: { verb: 'POST', path: '/api/v1/dashboard/system-outages', query: ['org'], headers: ['Idempotency-Key'] },
  getOutageReport: { verb: 'GET', path: '/api/v1/dashboard/system-outages/report', query: ['org', 'start', 'account_id', 'cluster_id', 'tags'], headers: [] },
  listOutageTags: { verb: 'GET', path: '/api/v1/dashboard/system-outages/tags', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  listLicensedUsers: { verb: 'GET', path: '/api/v1/dashboard/users', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  listActiveUsers: { verb: 'GET', path: '/api/v1/dashboard/users/active', query: ['org', 'limit', 'page', 'per_page', 'after'], headers: [] },
  listInactiveUsers: { verb: 'GET', path: '/api/v1/dashboard/users/inactive', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  listUserClusters: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  listActiveClusters: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/active', query: ['org', 'limit', 'page', 'per_page', 'after'], headers: [] },
  getUserCluster: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}', query: ['org'], headers: [] },
  listUserLicenses: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses', query: ['org', 'page', 'per_page', 'after'], headers: [] },
  listActiveLicenses: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/active', query: ['org', 'limit', 'page', 'per_page', 'after'], headers: [] },
  getUserLicense: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}', query: ['org'], headers: [] },
  listReceivedProducts: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products', query: ['org', 'limit', 'page', 'per_page', 'after'], headers: [] },
  getReceivedProduct: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products/{productName}', query: ['org', 'limit'], headers: [] },
  listEvents: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products/{productName}/events', query: ['org', 'lastDays', 'page', 'per_page', 'after'], headers: [] },
  getEventsReport: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products/{productName}/events-histories', query: ['org', 'group', 'resource', 'rid'], headers: [] },
  getRawEvent: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products/{productName}/events/raw-event', query: ['org', 'key', 'version'], headers: [] },
  getResources: { verb: 'GET', path: '/api/v1/dashboard/users/{uid}/clusters/{cid}/licenses/{lid}/products/{productName}/resources', query: ['org', 'group', 'resource'], headers: [] },
  getNamespaceReport: { verb: 'GET', path: '/api/v1/dbaas/billing/reports/clusters/{clusterID}/namespaces/{namespaceName}', query: ['org'], headers: [] },
  listNamespaceReports: { verb: 'GET', path: '/api/v1/dbaas/billing/reports/namespaces', query: ['org'], headers: [] },
  getRegistration: { verb: 'GET', path: '/api/v1/disable-registration', query: [], headers: [] },
  updateRegistration: { verb: 'POST', path: '/api/v1/disable-registration', query: ['org'], headers: [] },
  issueLicense: { verb: 'POST', path: '/api/v1/license/issue', query: ['org'], headers: ['Idempotency-Key'] },
  authorize: { verb: 'GET', path: '/api/v1/metricsproxy/auth/{uidcid}/{path}', query: [], headers: [] },
  registerFlavorB: { verb: 'POST', path: '/api/v1/metricsproxy/flavorb/register', query: ['org'], headers: ['Idempotency-Key'] },
  unregisterFlavorB: { verb: 'POST', path: '/api/v1/metricsproxy/flavorb/unregister', query: ['org'], headers: [] },
  registerFlavorA: { verb: 'POST', path: '/api/v1/metricsproxy/register', query: ['org'], headers: ['Idempotency-Key'] },
  unregisterFlavorA: { verb: 'POST', path: '/api/v1/metricsproxy/unregister', query: ['org'], headers: [] },
  createOrganization: { verb: 'POST', path: '/api/v1/orgs', query: [], headers: ['Idempotency-Key'] },
  getOldestClaim: { verb: 'GET', path: '/api/v1/orgs/claim', query: [], headers: [] },
  claimOrganization: { verb: 'PATCH', path: '/api/v1/orgs/claim/{claimID}', query: [], headers: [] },
  getOrganization: { verb: 'GET', path: '/api/v1/orgs/{orgname}', query: [], headers: [] },
  updateOrganization: { verb: 'PATCH', path: '/api/v1/orgs/{orgname}', query: [], headers: ['If-Match'] },
  deleteOrganization: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}', query: [], headers: ['If-Match'] },
  listOrganizationAudit: { verb: 'GET', path: '/api/v1/orgs/{orgname}/audit', query: ['actor', 'action', 'object', 'since', 'until', 'page', 'limit', 'after'], headers: [] },
  getAvatar: { verb: 'GET', path: '/api/v1/orgs/{orgname}/avatar', query: [], headers: [] },
  updateAvatar: { verb: 'POST', path: '/api/v1/orgs/{orgname}/avatar', query: [], headers: [] },
  deleteAvatar: { verb: 'POST', path: '/api/v1/orgs/{orgname}/avatar/delete', query: [], headers: [] },
  createTeamInvitation: { verb: 'POST', path: '/api/v1/orgs/{orgname}/invitations', query: [], headers: ['Idempotency-Key'] },
  listTeamInvitations: { verb: 'GET', path: '/api/v1/orgs/{orgname}/invitations', query: ['page', 'limit', 'after'], headers: [] },
  deleteTeamInvitation: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/invitations/{id}', query: [], headers: [] },
  checkOwner: { verb: 'GET', path: '/api/v1/orgs/{orgname}/is-owner', query: [], headers: [] },
  getSyncToken: { verb: 'GET', path: '/api/v1/orgs/{orgname}/manager/sync-token', query: [], headers: [] },
  createSyncToken: { verb: 'POST', path: '/api/v1/orgs/{orgname}/manager/sync-token', query: [], headers: ['Idempotency-Key'] },
  deleteSyncToken: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/manager/sync-token', query: [], headers: [] },
  getUserSyncToken: { verb: 'GET', path: '/api/v1/orgs/{orgname}/manager/user-token', query: [], headers: [] },
  createUserSyncToken: { verb: 'POST', path: '/api/v1/orgs/{orgname}/manager/user-token', query: [], headers: ['Idempotency-Key'] },
  deleteUserSyncToken: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/manager/user-token', query: [], headers: [] },
  listMembers: { verb: 'GET', path: '/api/v1/orgs/{orgname}/members', query: ['page', 'limit', 'after'], headers: [] },
  changeMember: { verb: 'POST', path: '/api/v1/orgs/{orgname}/members/action/{action}', query: ['uid'], headers: [] },
  checkMember: { verb: 'GET', path: '/api/v1/orgs/{orgname}/members/{username}', query: [], headers: [] },
  removeMember: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/members/{username}', query: [], headers: [] },
  listPublicMembers: { verb: 'GET', path: '/api/v1/orgs/{orgname}/public_members', query: ['page', 'limit', 'after'], headers: [] },
  checkPublicMember: { verb: 'GET', path: '/api/v1/orgs/{orgname}/public_members/{username}', query: [], headers: [] },
  showMembership: { verb: 'PUT', path: '/api/v1/orgs/{orgname}/public_members/{username}', query: [], headers: [] },
  hideMembership: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/public_members/{username}', query: [], headers: [] },
  listTeams: { verb: 'GET', path: '/api/v1/orgs/{orgname}/teams', query: ['page', 'limit', 'after'], headers: [] },
  createTeam: { verb: 'POST', path: '/api/v1/orgs/{orgname}/teams', query: [], headers: ['Idempotency-Key'] },
  changeMembership: { verb: 'POST', path: '/api/v1/orgs/{orgname}/teams/{teamid}/action/{action}', query: ['uid', 'uname'], headers: [] },
  listAccessTokens: { verb: 'GET', path: '/api/v1/orgs/{orgname}/tokens/access-tokens', query: ['page', 'limit', 'after'], headers: [] },
  createAccessToken: { verb: 'POST', path: '/api/v1/orgs/{orgname}/tokens/access-tokens', query: [], headers: ['Idempotency-Key'] },
  deleteAccessToken: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/tokens/access-tokens/{id}', query: [], headers: [] },
  listBusTokens: { verb: 'GET', path: '/api/v1/orgs/{orgname}/tokens/bus-tokens', query: ['page', 'limit', 'after'], headers: [] },
  createBusToken: { verb: 'POST', path: '/api/v1/orgs/{orgname}/tokens/bus-tokens', query: [], headers: ['Idempotency-Key'] },
  revokeBusToken: { verb: 'POST', path: '/api/v1/orgs/{orgname}/tokens/bus-tokens/{id}/revoke', query: [], headers: [] },
  getProfile: { verb: 'GET', path: '/api/v1/orgs/{orgname}/user/{username}', query: [], headers: [] },
  listWebhooks: { verb: 'GET', path: '/api/v1/orgs/{orgname}/webhooks', query: ['page', 'limit', 'after'], headers: [] },
  createWebhook: { verb: 'POST', path: '/api/v1/orgs/{orgname}/webhooks', query: [], headers: ['Idempotency-Key'] },
  updateWebhook: { verb: 'PATCH', path: '/api/v1/orgs/{orgname}/webhooks/{id}', query: [], headers: [] },
  deleteWebhook: { verb: 'DELETE', path: '/api/v1/orgs/{orgname}/webhooks/{id}', query: [], headers: [] },
  listWebhookDeliveries: { verb: 'GET', path: '/api/v1/orgs/{orgname}/webhooks/{id}/deliveries', query: ['page', 'limit', 'after'], headers: [] },
  resendWebhookDelivery: { verb: 'POST', path: '/api/v1/orgs/{orgname}/webhooks/{id}/deliveries/{delivery}/resend', query: [], headers: [] },
  checkProviderA: { verb: 'GET', path: '/api/v1/proxy/metered-billing/marketplaces/providera/check/readiness', query: [], headers: [] },
  reportUsageToProviderA: { verb: 'POST', path: '/api/v1/proxy/metered-billing/marketplaces/providera/report-usage', query: [], headers: [] },
  checkProviderC: { verb: 'GET', path: '/api/v1/proxy/metered-billing/marketplaces/providerc/check/readiness', query: [], headers: [] },
  reportUsageToProviderC: { verb: 'POST', path: '/api/v1/proxy/metered-billing/marketplaces/providerc/report-usage', query: [], headers: [] },
  registerLicense: { verb: 'POST', path: '/api/v1/register', query: [], headers: [] },
  getTeam: { verb: 'GET', path: '/api/v1/teams/{teamid}', query: [], headers: [] },
  updateTeam: { verb: 'PATCH', path: '/api/v1/teams/{teamid}', query: [], headers: ['If-Match'] },
  deleteTeam: { verb: 'DELETE', path: '/api/v1/teams/{teamid}', query: [], headers: ['If-Match'] },
  listTeamMembers: { verb: 'GET', path: '/api/v1/teams/{teamid}/members', query: ['page', 'limit', 'after'], headers: [] },
  getTeamMember: { verb: 'GET', path: '/api/v1/teams/{teamid}/members/{username}', query: [], headers: [] },
  addTeamMember: { verb: 'PUT', path: '/api/v1/teams/{teamid}/members/{username}', query: ['autoConnectClusters'], headers: [] },
  removeTeamMember: { verb: 'DELETE', path: '/api/v1/teams/{teamid}/members/{username}', query: [], headers: [] },
  getUser: { verb: 'GET', path: '/api/v1/user', query: [], headers: [] },
  createClientOrganization: { verb: 'POST', path: '/api/v1/user/client/create', query: ['org'], headers: ['Idempotency-Key'] },
  deleteClientOrganization: { verb: 'DELETE', path: '/api/v1/user/client/delete/{id}', query: ['org'], headers: [] },
  getClientOrganization: { verb: 'GET', path: '/api/v1/user/client/{id}', query: ['org'], headers: [] },
  addClientCluster: { verb: 'POST', path: '/api/v1/user/client/{orgname}/add-cluster', query: ['org'], headers: ['Idempotency-Key'] },
  getClientClusterStatus: { verb: 'GET', path: '/api/v1/user/client/{orgname}/cluster/{cluster}/status', query: ['org'], headers: [] },
  removeClientCluster: { verb: 'POST', path: '/api/v1/user/client/{orgname}/delete-cluster', query: ['org'], headers: [] },
  getClientOrganizationStatus: { verb: 'GET', path: '/api/v1/user/client/{orgname}/status', query: ['org'], headers: [] },
  listClientOrganizations: { verb: 'GET', path: '/api/v1/user/clients', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listUserContracts: { verb: 'GET', path: '/api/v1/user/contracts', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listActiveOfflineContracts: { verb: 'GET', path: '/api/v1/user/contracts/active-offline-contracts', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listAssociatedClusters: { verb: 'GET', path: '/api/v1/user/contracts/active/associated-clusters', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listUserClusterStatuses: { verb: 'POST', path: '/api/v1/user/contracts/active/associated-clusters/batch-status', query: ['org', 'contract'], headers: [] },
  getUserClusterStatus: { verb: 'GET', path: '/api/v1/user/contracts/active/associated-clusters/{clusterID}/status', query: ['org', 'contract'], headers: [] },
  listContractsOfCluster: { verb: 'GET', path: '/api/v1/user/contracts/active/associated-with/clusters/{clusterID}', query: ['org', 'onlyOffline', 'page', 'limit', 'after'], headers: [] },
  listOtherContracts: { verb: 'GET', path: '/api/v1/user/contracts/active/not-associated-with/clusters/{clusterID}', query: ['org', 'page', 'limit', 'after'], headers: [] },
  assignCluster: { verb: 'POST', path: '/api/v1/user/contracts/assign-cluster', query: ['org'], headers: ['Idempotency-Key'] },
  getUserContract: { verb: 'GET', path: '/api/v1/user/contracts/{id}', query: ['org'], headers: [] },
  listUserAuditEvents: { verb: 'GET', path: '/api/v1/user/contracts/{id}/audit', query: ['org', 'page', 'limit', 'after'], headers: [] },
  listUserContractClusters: { verb: 'GET', path: '/api/v1/user/contracts/{id}/clusters', query: ['org', 'page', 'limit', 'after'], headers: [] },
  addUserContractClusters: { verb: 'POST', path: '/api/v1/user/contracts/{id}/clusters', query: ['org'], headers: ['Idempotency-Key'] },
  listUserImportableClusters: { verb: 'GET', path: '/api/v1/user/contracts/{id}/clusters/imported/non-associated', query: ['org', 'page', 'limit', 'after'], headers: [] },
  deleteUserContractCluster: { verb: 'DELETE', path: '/api/v1/user/contracts/{id}/clusters/{ccID}', query: ['org'], headers: [] },
  issueUserContractLicense: { verb: 'POST', path: '/api/v1/user/contracts/{id}/clusters/{ccID}/issue-license', query: ['org'], headers: ['Idempotency-Key'] },
  renameUserContractCluster: { verb: 'PATCH', path: '/api/v1/user/contracts/{id}/clusters/{ccID}/name', query: ['org'], headers: [] },
  tagUserContractCluster: { verb: 'PATCH', path: '/api/v1/user/contracts/{id}/clusters/{ccID}/tags', query: ['org'], headers: [] },
  getUserDocumentLink: { verb: 'GET', path: '/api/v1/user/contracts/{id}/document', query: ['org'], headers: [] },
  updatePreferences: { verb: 'PUT', path: '/api/v1/user/contracts/{id}/preferences', query: ['org'], headers: ['If-Match'] },
  bindIdentity: { verb: 'POST', path: '/api/v1/user/identities/{provider}', query: [], headers: [] },
  createLicenseProxy: { verb: 'POST', path: '/api/v1/user/license-proxy', query: ['org'], headers: ['Idempotency-Key'] },
  listUserOrganizations: { verb: 'GET', path: '/api/v1/user/orgs', query: ['page', 'limit', 'after'], headers: [] },
  listSessions: { verb: 'GET', path: '/api/v1/user/sessions', query: ['page', 'limit', 'after'], headers: [] },
  endSession: { verb: 'DELETE', path: '/api/v1/user/sessions/{id}', query: [], headers: [] },
  updateUserSettings: { verb: 'PATCH', path: '/api/v1/user/settings', query: [], headers: [] },
  searchUsers: { verb: 'GET', path: '/api/v1/users/search', query: ['q'], headers: [] },
  listUserTokens: { verb: 'GET', path: '/api/v1/users/{username}/tokens', query: ['page', 'limit', 'after'], headers: [] },
  createUserToken: { verb: 'POST', path: '/api/v1/users/{username}/tokens', query: [], headers: ['Idempotency-Key'] },
  deleteUserToken: { verb: 'DELETE', path: '/api/v1/users/{username}/tokens/{token}', query: [], headers: [] },
  getVersion: { verb: 'GET', path: '/api/v1/version', query: [], headers: [] },
  acceptTeamInvitation: { verb: 'POST', path: '/auth/invitation/{code}', query: [], headers: [] },
  signInByLink: { verb: 'POST', path: '/auth/link/{code}', query: [], headers: [] },
  beginOidc: { verb: 'GET', path: '/auth/oidc/{provider}', query: ['to'], headers: [] },
  finishOidc: { verb: 'GET', path: '/auth/oidc/{provider}/callback', query: ['code', 'state', 'iss', 'error'], headers: [] },
  listProviders: { verb: 'GET', path: '/auth/providers', query: [], headers: [] },
  getSession: { verb: 'GET', path: '/auth/session', query: [], headers: [] },
  askForSignIn: { verb: 'POST', path: '/auth/sign-in/mail', query: [], headers: [] },
  signInByMail: { verb: 'POST', path: '/auth/sign-in/mail/{code}', query: [], headers: [] },
  signInByToken: { verb: 'POST', path: '/auth/sign-in/token', query: [], headers: [] },
  signOut: { verb: 'POST', path: '/auth/sign-out', query: [], headers: [] },
  signUp: { verb: 'POST', path: '/auth/sign-up', query: [], headers: [] },
  finishSignUp: { verb: 'POST', path: '/auth/sign-up/{code}', query: [], headers: [] },
  getPicture: { verb: 'GET', path: '/avatars/{hash}', query: [], headers: [] },
  downloadDocument: { verb: 'GET', path: '/files/{name}', query: ['expires', 'signature'], headers: [] },
  downloadArchive: { verb: 'GET', path: '/links/installer/{ownerID}/{installerName}/{archive}/archive.tar.gz', query: [], headers: [] },
  showInvitation: { verb: 'GET', path: '/links/invitation/{user}', query: ['expires', 'signature'], headers: [] },
  acceptInvitation: { verb: 'POST', path: '/links/invitation/{user}', query: ['expires', 'signature'], headers: [] },
  receiveProviderA: { verb: 'POST', path: '/marketplace/api/v1/marketplaces/providera/notification/resource', query: [], headers: [] },
  receiveProviderB: { verb: 'POST', path: '/marketplace/api/v1/marketplaces/providerb/notification/resource', query: ['secret'], headers: [] },
  receiveProviderC: { verb: 'POST', path: '/marketplace/api/v1/marketplaces/providerc/notification/resource', query: ['secret'], headers: [] },
  checkClaimable: { verb: 'GET', path: '/marketplace/api/v1/marketplaces/standalone-organizations/{claimID}/claimable', query: [], headers: [] },
  getListenerVersion: { verb: 'GET', path: '/marketplace/api/v1/version', query: [], headers: [] },
} as const satisfies Record<keyof Operations, {
  verb: string; path: string; query: readonly string[]; headers: readonly string[];
}>;
