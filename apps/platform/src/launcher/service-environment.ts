import { hash } from 'node:crypto';
import { devNull } from 'node:os';
import {
  environmentName, formatAddress, grpcServices, isSecret, secretsOf, type Service, type ServiceName, services,
  type SettingKey,
} from '@platform/service';
import { type KeptSecret, secretIn } from '../kept-secrets.ts';
import type { LauncherSettings } from '../settings.ts';
import type { Certificates } from './certificates.ts';
import type { PlatformOptions } from './platform-options.ts';

/** Ports of one service, fixed before the first start. */
export interface ServicePorts {
  /** Port of gRPC; for the gateway, the port of HTTP. */
  readonly api: number;
  /** Port of `/livez`, `/readyz` and `/metrics`. */
  readonly admin: number;
  /** Port for paths that the gateway passes on to the service, if there are any. */
  readonly passed?: number;
}

/**
 * What services need to know about their platform. The data about PostgreSQL, NATS and OpenFGA is added when these
 * servers are ready.
 */
export interface ServiceSurroundings extends Pick<PlatformOptions, 'environment' | 'settings'> {
  /** Secrets whose value is the same in each service that reads them. */
  readonly secrets: Map<SettingKey, KeptSecret>;
  /** Secrets that are different for each service. */
  readonly ownSecrets: Readonly<Record<'postgres.url' | 'nats.credentials', Map<ServiceName, KeptSecret>>>;
  readonly baseUrl: string;
  readonly compileCache: string;
  readonly ports: ReadonlyMap<string, ServicePorts>;
  natsUrl?: string;
  openfgaUrl?: string;
  /** Certificates of the services and of the operator, if the launcher issues them. */
  readonly certificates?: Pick<Certificates, 'services' | 'operator'> | undefined;
}

/** Settings whose given values are not passed on to services. The launcher sets its own values for some services. */
const notPassedOn: readonly SettingKey[] = ['server', 'token', 'nats.url', 'openfga.url', 'http.port'];

const loopback = '127.0.0.1';

type Texts = { readonly [Key in SettingKey]?: string | undefined };

/**
 * Returns the whole environment of a service's process. The environment contains the given settings, except secrets and
 * `notPassedOn`. For each secret that the service reads, the environment contains the path of a file.
 */
export function serviceEnvironment(entry: Service, around: ServiceSurroundings): Record<string, string> {
  const { settings, secrets, ownSecrets, ports } = around;
  const { api, admin } = ports.get(entry.name)!;
  const tls = around.certificates?.services.get(entry.name);
  const texts: Texts = {
    // In run mode `dev`, services may connect to loopback addresses by default: the clusters of the lab listen there.
    ...(settings.runMode === 'dev' && { 'clusters.allowedCIDRs': '127.0.0.0/8' }),
    ...Object.fromEntries([...settings.given].filter(([key]) => !isSecret(key) && !notPassedOn.includes(key))),
    'home': settings.home,
    // The settings file may contain secrets of other services, so services do not read it.
    'config.file': devNull,
    'deployment.type': settings.deploymentType,
    'run.mode': settings.runMode,
    'http.baseURL': around.baseUrl,
    'stop.timeout': `${settings.stopTimeoutMs}ms`,
    'secrets.operatorVerifier': hash('sha256', secretIn(secrets, 'secrets.operatorCredential').value),
    'admin.listen': formatAddress(loopback, admin),
    ...(entry.http === true
      ? { 'http.host': settings.httpHost, 'http.port': String(api) }
      : { 'grpc.listen': formatAddress(loopback, api) }),
    ...Object.fromEntries(grpcServices.map(({ name, addresses }) =>
      [addresses, formatAddress(loopback, ports.get(name)!.api)])),
    ...passedOn(entry, around),
    ...(entry.bus && { 'nats.url': around.natsUrl }),
    ...(entry.engine && { 'openfga.url': around.openfgaUrl }),
    ...(tls && { 'grpc.tls.ca': tls.ca, 'grpc.tls.certificate': tls.certificate, 'grpc.tls.key': tls.key }),
    ...(tls && entry.http && !settings.givenCertificate && {
      'http.tls.certificate': tls.certificate, 'http.tls.key': tls.key,
    }),
  };
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(around.environment)) {
    if (value !== undefined && !name.startsWith('PLATFORM_')) environment[name] = value;
  }
  environment['NODE_COMPILE_CACHE'] = around.compileCache;
  for (const [key, text] of Object.entries(texts)) if (text !== undefined) environment[environmentName(key)] = text;
  for (const key of secretsOf(entry)) {
    const isOwn = key === 'postgres.url' || key === 'nats.credentials';
    const kept = isOwn ? ownSecrets[key].get(entry.name) : secrets.get(key);
    if (kept !== undefined) environment[`${environmentName(key)}_FILE`] = kept.file;
  }
  return environment;
}

/** Settings for requests that the gateway forwards: where a service listens, and where the gateway finds it. */
function passedOn(entry: Service, { settings, ports }: ServiceSurroundings): Texts {
  const texts: Record<string, string> = {};
  for (const { name, passes } of services) {
    const port = ports.get(name)?.passed;
    if (passes === undefined || port === undefined) continue;
    const onHttpHost = passes.listen.endsWith('.port');
    const address = formatAddress(onHttpHost ? reachable(settings.httpHost) : loopback, port);
    if (name === entry.name) texts[passes.listen] = onHttpHost ? String(port) : address;
    if (name === entry.name && onHttpHost) texts['http.host'] = settings.httpHost;
    if (entry.http === true) texts[passes.addresses] = address;
  }
  return texts;
}

/** URL of the gateway or of the marketplace listener on this machine. */
export function localUrl(settings: Pick<LauncherSettings, 'httpHost' | 'tls'>, port: number): string {
  return `${settings.tls ? 'https' : 'http'}://${formatAddress(reachable(settings.httpHost), port)}`;
}

/** The address at which this machine reaches a server that listens on `host`. */
export function reachable(host: string): string {
  return ['0.0.0.0', '::', 'localhost'].includes(host) ? loopback : host;
}
