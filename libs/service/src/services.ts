/** A secret of the platform that a service may read. The launcher creates it, or the operator sets it. */
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

/** How a service uses the bus. The service has its own bus user with these permissions. */
export interface BusUse {
  /** Subjects to which the service publishes. */
  readonly publish: readonly string[];
  /** Subjects to which the service subscribes. Its own inbox is always permitted. */
  readonly subscribe: readonly string[];
  /**
   * The service creates bus accounts and bus users for other clients. For this, it gets the seeds of the operator and
   * of the platform's account.
   */
  readonly admits?: true;
}

/** Paths whose requests the gateway forwards to a service without reading their bodies (libs/http, `createPassOn`). */
export interface PassedPaths {
  /** Such as `/metrics-proxy/`. */
  readonly prefix: string;
  /**
   * Setting with the address on which the service listens. The value is `host:port`, or a port on the interface of
   * `http.host`.
   */
  readonly listen: `${string}.listen` | `${string}.port`;
  /** The setting with the addresses of the service's replicas. */
  readonly addresses: `${string}.addresses`;
}

/** One row of the table of services. */
export interface ServiceRow {
  /** The folder in `apps/`, the host in the protos, and the name in certificates, logs and metrics. */
  readonly name: string;
  /** The responsibility of the service, as a noun phrase for the label of its image. */
  readonly description: string;
  /** The setting with the addresses of its replicas. Absent if no other process calls it over gRPC. */
  readonly addresses?: `services.${string}`;
  /** The service serves its callers over HTTP instead of gRPC. */
  readonly http?: true;
  /** The service has its own PostgreSQL schema and role, both named after it. */
  readonly schema?: true;
  /**
   * Types of the authorization model that the service owns. It hosts `controlplane.owners.v1.OwnerService` for them.
   */
  readonly owns?: readonly string[];
  /** Kinds of facts that the service publishes (libs/facts). It hosts `controlplane.facts.v1.FactService` for them. */
  readonly publishes?: readonly string[];
  /** The service calls the authorization engine. */
  readonly engine?: true;
  readonly bus?: BusUse;
  /** Paths at the gateway that the service answers itself, over HTTP on its own port. */
  readonly passes?: PassedPaths;
  /** Secrets that the service reads, except the secrets that follow from the other columns (docs/configuration.md). */
  readonly secrets: readonly ServiceSecret[];
}

/** The table of services. Settings, images, the chart and other parts derive from it (docs/adding-a-service.md). */
const table = [
  { name: 'gateway', description: 'The REST API of the platform', http: true, secrets: [] },
  {
    name: 'orgs-teams',
    description: 'Users, organizations, teams, roles, tokens',
    addresses: 'services.orgsTeams',
    schema: true,
    publishes: ['account'],
    bus: { publish: ['platform.leases.>'], subscribe: ['platform.leases.>'], admits: true },
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
    secrets: ['secrets.encryptionKeys'],
  },
  {
    name: 'contracts-licensing',
    description: 'Contracts, their clusters, licences',
    addresses: 'services.contractsLicensing',
    schema: true,
    owns: ['contract'],
    publishes: ['contract', 'contract_cluster', 'licence'],
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
      // `_R_` is the prefix of reply subjects of requests from other accounts.
      publish: ['$JS.API.>', '$JS.ACK.>', 'rpc.user.>', 'events.*.user.>', '_R_.>'],
      subscribe: ['rpc-answers.user.>', 'arrivals.*.user.>'],
    },
    secrets: ['secrets.encryptionKeys'],
  },
  {
    name: 'metricsproxy',
    description: 'Metrics backends, datasources, queries',
    addresses: 'services.metricsproxy',
    schema: true,
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
/** The setting with the addresses of a service, such as `services.orgsTeams`. */
export type AddressKey = Extract<Row, { readonly addresses: string }>['addresses'];
/** Name of a service that other processes call over gRPC. */
export type GrpcServiceName = Extract<Row, { readonly addresses: string }>['name'];
/** The setting with the addresses of a service to which the gateway passes paths on. */
export type PassKey = Extract<Row, { readonly passes: object }>['passes']['addresses'];
/** Name of a service with a PostgreSQL schema. */
export type SchemaServiceName = Extract<Row, { readonly schema: true }>['name'];

export type Service = ServiceRow & { readonly name: ServiceName; readonly addresses?: AddressKey };
export type GrpcService = Service & { readonly name: GrpcServiceName; readonly addresses: AddressKey };

export const services: readonly Service[] = table;

/** All services that other processes call over gRPC. */
export const grpcServices: readonly GrpcService[] = services.filter(isGrpc);

function isGrpc(service: Service): service is GrpcService {
  return service.addresses !== undefined;
}
