/** A secret of the platform, made by the launcher or set by the operator, as a service may read it. */
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

/** What a service does on the bus. Each service has a bus user of its own, which is permitted nothing else. */
export interface BusUse {
  /** Subjects that it publishes to. */
  readonly publish: readonly string[];
  /** Subjects that it subscribes to. Its own inbox is always permitted. */
  readonly subscribe: readonly string[];
  /** It creates accounts and users for others: it gets the seeds of the operator and of the platform's account. */
  readonly admits?: true;
}

/** Paths that the gateway passes on, unread, to a service. It says whose request it is (libs/http, `createPassOn`). */
export interface PassedPaths {
  /** `/metrics-proxy/`. */
  readonly prefix: string;
  /** The setting that holds where the service listens: `host:port`, or the port on the interface of `http.host`. */
  readonly listen: `${string}.listen` | `${string}.port`;
  /** The setting that holds the addresses of its replicas. */
  readonly addresses: `${string}.addresses`;
}

/** One service of the platform: everything that others need to know about it. */
export interface ServiceRow {
  /** Its folder in `apps/`, its host in the protos, its name in certificates, logs and metrics. */
  readonly name: string;
  /** What it has, as the label of its image. */
  readonly description: string;
  /** The setting that holds the addresses of its replicas. Absent: no other process calls it over gRPC. */
  readonly addresses?: `services.${string}`;
  /** It serves people over HTTP instead of services over gRPC. */
  readonly http?: true;
  /** It has a PostgreSQL schema and role of its own, named after it. */
  readonly schema?: true;
  /** Types of the authorization model that it owns. It hosts `controlplane.owners.v1.OwnerService` for them. */
  readonly owns?: readonly string[];
  /** Kinds of facts that it publishes (libs/facts). It hosts `controlplane.facts.v1.FactService` for them. */
  readonly publishes?: readonly string[];
  /** It calls the authorization engine. */
  readonly engine?: true;
  readonly bus?: BusUse;
  /** Paths at the gateway that it answers itself, over HTTP on a port of its own. */
  readonly passes?: PassedPaths;
  /** Secrets it reads, beside those that follow from the columns above (docs/configuration.md). */
  readonly secrets: readonly ServiceSecret[];
}

/**
 * The table of services. Settings, launcher, gateway, operator's client, `platform doctor`, tests, images, Docker
 * Compose, scrape targets and the chart follow from it: a new service is its folder and one row
 * (docs/adding-a-service.md). The order is that of the table which `platform up` prints.
 */
const table = [
  { name: 'gateway', description: 'The REST API of the platform', http: true, secrets: [] },
  {
    name: 'orgs-teams',
    description: 'Users, organizations, teams, roles, tokens',
    addresses: 'services.orgsTeams',
    schema: true,
    publishes: ['account'],
    bus: { publish: [], subscribe: [], admits: true },
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
      // `_R_` are the reply subjects of requests that come from other accounts.
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

/** Name of a service: `orgs-teams`. */
export type ServiceName = Row['name'];
/** The setting that holds the addresses of a service: `services.orgsTeams`. */
export type AddressKey = Extract<Row, { readonly addresses: string }>['addresses'];
/** A service that others call over gRPC. */
export type GrpcServiceName = Extract<Row, { readonly addresses: string }>['name'];
/** The setting that holds where a service answers paths that the gateway passes on. */
export type PassKey = Extract<Row, { readonly passes: object }>['passes']['addresses'];
/** A service with a PostgreSQL schema. */
export type SchemaServiceName = Extract<Row, { readonly schema: true }>['name'];

/** A row of the table, as it is read. */
export type Service = ServiceRow & { readonly name: ServiceName; readonly addresses?: AddressKey };
export type GrpcService = Service & { readonly name: GrpcServiceName; readonly addresses: AddressKey };

/** All services. */
export const services: readonly Service[] = table;

/** Those that others call over gRPC. */
export const grpcServices: readonly GrpcService[] = services.filter(isGrpc);

function isGrpc(service: Service): service is GrpcService {
  return service.addresses !== undefined;
}
