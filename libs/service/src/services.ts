/** Key of a secret setting that {@link ServiceRow.secrets} may contain. */
export type ServiceSecret =
  | 'auth.oidc'
  | 'secrets.encryptionKeys'
  | 'secrets.tokenKey'
  | 'secrets.adminToken'
  | 'files.s3.accessKey'
  | 'files.s3.secretKey'
  | 'license.ca'
  | 'mail.smtpURL'
  | 'flavora.credential'
  | 'flavorb.credential'
  | 'marketplace.providera.accessKey'
  | 'marketplace.providera.secretKey'
  | 'marketplace.providerb.secret'
  | 'marketplace.providerb.clientSecret'
  | 'marketplace.providerc.secret'
  | 'marketplace.providerc.credential';

/** How a service uses the bus. Each service has its own bus user, which may use only these subjects and its inbox. */
export interface BusUse {
  /** Subjects to which the service publishes. */
  readonly publish: readonly string[];
  /** Subjects to which the service subscribes. The inbox of the service is permitted without an entry. */
  readonly subscribe: readonly string[];
  /**
   * The service creates bus accounts for organizations, and users in these accounts. For this task, the service gets
   * `nats.systemCredentials`, `nats.accountSeed` and `nats.operatorSeed`.
   */
  readonly admits?: true;
}

/** Paths whose requests the gateway forwards to a service (libs/http, `createPassOn`). */
export interface PassedPaths {
  /** Common prefix of the paths, such as `/metrics-proxy/`. */
  readonly prefix: string;
  /**
   * Key of the setting that says where the service listens for forwarded requests. A `….listen` setting contains
   * `host:port`. A `….port` setting contains a port, and the host is `http.host`.
   */
  readonly listen: `${string}.listen` | `${string}.port`;
  /** Key of the setting with the addresses to which the gateway forwards requests. */
  readonly addresses: `${string}.addresses`;
}

/** One row of the table of services. */
export interface ServiceRow {
  /** Unique name, such as `orgs-teams`. The folder of the service in `apps/` has the same name. */
  readonly name: string;
  /** What the service is responsible for, as a noun phrase. The container image has this text as a label. */
  readonly description: string;
  /** Key of the setting with the gRPC addresses of the service's replicas. Absent if the service has no gRPC API. */
  readonly addresses?: `services.${string}`;
  /** The service serves its callers over HTTP instead of gRPC. */
  readonly http?: true;
  /** The service has its own PostgreSQL schema and role. */
  readonly schema?: true;
  /**
   * The service owns the objects of these types of the authorization model, such as `cluster`. For these types, the
   * service implements `controlplane.owners.v1.OwnerService`.
   */
  readonly owns?: readonly string[];
  /** Kinds of facts that the service publishes, over its `controlplane.facts.v1.FactService` (libs/facts). */
  readonly publishes?: readonly string[];
  /** Other processes may keep answers of the service in memory under leases, over its LeaseService (libs/leases). */
  readonly leases?: true;
  /** The service calls OpenFGA. */
  readonly engine?: true;
  readonly bus?: BusUse;
  /** Paths whose requests the gateway forwards to the service's own HTTP server. */
  readonly passes?: PassedPaths;
  /** Secret settings that the service reads, except those that `secretsOf` adds. */
  readonly secrets: readonly ServiceSecret[];
}

/**
 * Returns the bus subjects for leases: a service with a lease may keep answers of another service (libs/leases).
 * @param authority name of the service if other processes keep its answers; the service then publishes changes
 */
function leaseSubjects(authority?: string): Pick<BusUse, 'publish' | 'subscribe'> {
  const told = authority === undefined ? [] : [`platform.leases.${authority}`];
  return { publish: [...told, 'platform.leases.acknowledged.>'], subscribe: ['platform.leases.>'] };
}

/** The table of services. Images, the chart and some settings are derived from it (docs/adding-a-service.md). */
const table = [
  { name: 'gateway', description: 'The REST API of the platform', http: true, secrets: [] },
  {
    name: 'orgs-teams',
    description: 'Users, organizations, teams, roles, tokens',
    addresses: 'services.orgsTeams',
    schema: true,
    publishes: ['account'],
    leases: true,
    bus: { ...leaseSubjects('orgs-teams'), admits: true },
    secrets: [
      'secrets.encryptionKeys', 'secrets.tokenKey', 'secrets.adminToken', 'files.s3.accessKey', 'files.s3.secretKey',
      'mail.smtpURL', 'auth.oidc',
    ],
  },
  { name: 'authz', description: 'Model, decisions, catalogue', addresses: 'services.authz', engine: true, secrets: [] },
  {
    name: 'clusters',
    description: 'Clusters, their sets, client organizations',
    addresses: 'services.clusters',
    schema: true,
    owns: ['cluster'],
    publishes: ['cluster', 'client_cluster'],
    leases: true,
    bus: leaseSubjects('clusters'),
    secrets: ['secrets.encryptionKeys'],
  },
  {
    name: 'contracts-licensing',
    description: 'Contracts, their clusters, licences',
    addresses: 'services.contractsLicensing',
    schema: true,
    owns: ['contract'],
    publishes: ['contract', 'contract_cluster', 'licence'],
    bus: leaseSubjects(),
    secrets: [
      'secrets.encryptionKeys', 'files.s3.accessKey', 'files.s3.secretKey', 'license.ca', 'mail.smtpURL',
    ],
  },
  {
    name: 'billing-dashboard',
    description: 'Events of member clusters, usage',
    addresses: 'services.billingDashboard',
    schema: true,
    publishes: ['quota_use', 'cluster_contact'],
    bus: {
      // For a request from another account, NATS makes a reply subject that begins with `_R_.`.
      publish: ['$JS.API.>', '$JS.ACK.>', 'rpc.user.>', 'events.*.user.>', '_R_.>', ...leaseSubjects().publish],
      subscribe: ['rpc-answers.user.>', 'arrivals.*.user.>', ...leaseSubjects().subscribe],
    },
    secrets: ['secrets.encryptionKeys'],
  },
  {
    name: 'metricsproxy',
    description: 'Metrics backends, datasources, queries',
    addresses: 'services.metricsproxy',
    schema: true,
    leases: true,
    bus: leaseSubjects('metricsproxy'),
    passes: {
      prefix: '/metrics-proxy/', listen: 'metricsproxy.listen', addresses: 'metricsproxy.addresses',
    },
    secrets: ['secrets.encryptionKeys', 'flavora.credential', 'flavorb.credential'],
  },
  {
    name: 'marketplace-listener',
    description: 'Installers, subscriptions, metering, claims',
    addresses: 'services.marketplaceListener',
    schema: true,
    bus: leaseSubjects(),
    passes: {
      prefix: '/marketplace/', listen: 'marketplace.listener.port', addresses: 'marketplace.listener.addresses',
    },
    secrets: [
      'secrets.encryptionKeys', 'mail.smtpURL', 'marketplace.providera.accessKey', 'marketplace.providera.secretKey',
      'marketplace.providerb.secret', 'marketplace.providerb.clientSecret', 'marketplace.providerc.secret',
      'marketplace.providerc.credential',
    ],
  },
] as const satisfies readonly ServiceRow[];

type Row = (typeof table)[number];

/** Name of a service, such as `orgs-teams`. */
export type ServiceName = Row['name'];
/** Key of the setting with the gRPC addresses of a service, such as `services.orgsTeams`. */
export type AddressKey = Extract<Row, { readonly addresses: string }>['addresses'];
/** Name of a service with a gRPC API. */
export type GrpcServiceName = Extract<Row, { readonly addresses: string }>['name'];
/** One of the values of {@link PassedPaths.addresses}, such as `metricsproxy.addresses`. */
export type PassKey = Extract<Row, { readonly passes: object }>['passes']['addresses'];
/** Name of a service with a PostgreSQL schema. */
export type SchemaServiceName = Extract<Row, { readonly schema: true }>['name'];

export type Service = ServiceRow & { readonly name: ServiceName; readonly addresses?: AddressKey };
export type GrpcService = Service & { readonly name: GrpcServiceName; readonly addresses: AddressKey };

export const services: readonly Service[] = table;

/** All services with a gRPC API. */
export const grpcServices: readonly GrpcService[] = services.filter(isGrpc);

function isGrpc(service: Service): service is GrpcService {
  return service.addresses !== undefined;
}
