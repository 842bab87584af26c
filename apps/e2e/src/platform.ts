import { type AddressKey, type GrpcServiceName, grpcServices, type SchemaServiceName } from '@platform/service';
import {
  freePort, type HttpClient, openFgaStore, type OwnPostgres, type OwnProcessReason, type ServiceSettings, startService,
  type StartedService, type StartServiceOptions, testDatabase, type TestDatabase, testSecret, until,
} from '@platform/testing';
import { documentedHttp } from './documented.ts';

/** Services of a deployment, on servers of the test run. */
export interface RunningPlatform {
  readonly baseUrl: string;
  /** A client that compares each answer with the OpenAPI document. */
  readonly http: HttpClient;
  /** Such clients for each replica of the gateway; the first one is `http`. */
  readonly gateways: readonly [HttpClient, ...HttpClient[]];
  /** Token of the site admin that the first start made. */
  readonly adminToken: string;
  readonly serviceCredential: string;
  /** `host:port` of all gRPC replicas, separated by commas, by service. */
  readonly grpc: Readonly<Record<Host, string>>;
  readonly services: Readonly<Record<Host | 'gateway', StartedService>>;
  /** The settings of each service, without its addresses. */
  readonly settings: Readonly<Record<Host, ServiceSettings>>;
  readonly databases: Readonly<Record<SchemaServiceName, TestDatabase>>;
}

/** Apps that serve gRPC. */
export type Host = GrpcServiceName;

/** Services that specs of organizations, teams, roles, tokens and settings need, besides the gateway. */
export const organizationHosts: readonly Host[] = ['orgs-teams', 'authz'];

export interface PlatformOptions {
  /** The services to run; default all. The gateway answers 503 for the others. */
  readonly hosts?: readonly Host[];
  readonly replicas?: Partial<Record<Host | 'gateway', number>>;
  readonly settings?: ServiceSettings;
  /** The server with the databases of the services; default the server of the test run. */
  readonly postgres?: OwnPostgres;
  /** Returns the file that starts a service of another version of the code; the gateway always has this version. */
  readonly code?: (service: Host) => string;
  /** Services that need separate processes; the others share one process with other spec files. */
  readonly ownProcess?: OwnProcess;
  /** Environment of a process, by service and number of the replica. */
  readonly surroundings?: (service: Host | 'gateway', replica: number) => Surroundings;
}

export interface OwnProcess {
  readonly of: 'all' | readonly (Host | 'gateway')[];
  readonly because: OwnProcessReason;
}

/** Additional environment variables of a process, and its confinement. */
export type Surroundings = Pick<StartServiceOptions, 'environment' | 'confine'>;

/** Starts the parts of a deployment, in the deployment type and run mode in which every endpoint can be tried. */
export async function startPlatform(options: PlatformOptions = {}): Promise<RunningPlatform> {
  const count = (name: Host | 'gateway') => options.replicas?.[name] ?? 1;
  const { of = [], because } = options.ownProcess ?? {};
  const alone = (name: Host | 'gateway') => (of === 'all' || of.includes(name) ? { ownProcess: because! } : {});
  const served = grpcServices.filter(({ name }) => options.hosts?.includes(name) ?? true);
  const hosts = served.map(({ name }) => name);
  const portsOf = (host: Host) => Promise.all(Array.from({ length: count(host) }, () => freePort()));
  // orgs-teams and authz call each other, so each must know the other's address before it starts.
  const listen = new Map<Host, string[]>();
  for (const { name } of grpcServices) listen.set(name, (await portsOf(name)).map((port) => `127.0.0.1:${port}`));
  const lists = [...listen].map(([host, replicas]) => [host, replicas.join(',')] as const);
  const grpc = Object.fromEntries(lists) as RunningPlatform['grpc'];
  const addressesOf = (services: readonly { name: Host; addresses: AddressKey }[]): ServiceSettings =>
    Object.fromEntries(services.map(({ name, addresses }) => [addresses, grpc[name]]));
  // Addresses at which services answer paths that the gateway forwards.
  const passed = await Promise.all(grpcServices.flatMap(({ name, passes }) =>
    (passes === undefined ? [] : [portsOf(name).then((ports) => ({ name, passes, ports }))])));
  const listenOf = (host: Host, replica: number): ServiceSettings =>
    Object.fromEntries(passed.filter(({ name }) => name === host).map(({ passes, ports }) => {
      return [passes.listen, passes.listen.endsWith('.port') ? `${ports[replica]}` : `127.0.0.1:${ports[replica]}`];
    }));
  const [adminToken, serviceCredential] = [testSecret().slice(0, 40), testSecret()];
  const database = options.postgres?.database ?? testDatabase;
  const withSchema = served.filter(({ schema }) => schema === true);
  const [store, ...made] = await Promise.all([openFgaStore(), ...withSchema.map(({ name }) => database(name))]);
  const named = withSchema.map(({ name }, index) => [name, made[index]!] as const);
  const databases: Partial<Record<Host, TestDatabase>> = Object.fromEntries(named);
  const common: ServiceSettings = {
    'deployment.type': 'Hosted', 'run.mode': 'dev', 'log.level': 'info',
    // The lab's clusters listen there.
    'clusters.allowedCIDRs': '127.0.0.0/8',
    // In specs, a few users make many organizations.
    'orgs.perOwner': '100000',
    'secrets.serviceCredential': serviceCredential, 'secrets.adminToken': adminToken,
    'secrets.tokenKey': testSecret(), 'secrets.encryptionKeys': testSecret(),
    ...addressesOf(served),
    ...Object.fromEntries(passed.map(({ passes, ports }) => {
      return [passes.addresses, ports.map((port) => `127.0.0.1:${port}`).join(',')];
    })),
    ...store.settings,
    ...options.settings,
  };
  const settings = Object.fromEntries(hosts.map((host) => {
    return [host, { ...common, ...databases[host]?.settings }];
  })) as RunningPlatform['settings'];
  const started = await Promise.all(hosts.map(async (host) => {
    const code = options.code?.(host);
    const service = await startReplicas(count(host), (replica) => startService(
      host, { ...settings[host], 'grpc.listen': listen.get(host)![replica]!, ...listenOf(host, replica) },
      { ...(code && { main: code }), ...alone(host), ...options.surroundings?.(host, replica) },
    ));
    return [host, service] as const;
  }));
  const gateway = await startReplicas(count('gateway'), (replica) => startService(
    'gateway', { ...common, ...addressesOf(grpcServices) },
    { ...alone('gateway'), ...options.surroundings?.('gateway', replica) },
  ));
  const clients = gateway.replicas.map(({ addresses }) => documentedHttp(`http://${addresses['http']!}`));
  const gateways = clients as unknown as RunningPlatform['gateways'];
  const [client] = gateways;
  const answers = async () => (await client.get('/api/v1/version')).status === 200;
  await until(answers, { within: 20_000, what: 'the gateway answers for orgs-teams' });
  return {
    baseUrl: client.baseUrl, http: client, gateways, adminToken, serviceCredential, grpc, settings,
    services: { ...Object.fromEntries(started), gateway } as RunningPlatform['services'],
    databases: databases as RunningPlatform['databases'],
  };
}

/** Starts replicas that differ in their addresses or environment. */
async function startReplicas(
  count: number, startOne: (replica: number) => Promise<StartedService>,
): Promise<StartedService> {
  const all = await Promise.all(Array.from({ length: count }, (_, replica) => startOne(replica)));
  const replicas = all.flatMap((service) => service.replicas);
  return {
    ...all[0]!,
    replicas: replicas as unknown as StartedService['replicas'],
    addressList: (purpose) => all.map((service) => service.addressList(purpose)).join(','),
    stop: async () => void (await Promise.all(all.map((service) => service.stop()))),
  };
}
