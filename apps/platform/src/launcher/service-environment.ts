import { hash } from 'node:crypto';
import { devNull } from 'node:os';
import {
  environmentName, formatAddress, grpcServices, isSecret, secretsOf, type Service, services, type SettingKey,
} from '@platform/service';
import type { Certificates } from './certificates.ts';
import { type KeptSecrets, secretIn } from '../kept-secrets.ts';
import type { OwnSecrets } from './server-secrets.ts';
import type { Environment, LauncherSettings } from './settings.ts';

/** Ports of one service on 127.0.0.1, fixed before the first start. */
export interface ServicePorts {
  /** gRPC; for the gateway HTTP. */
  readonly api: number;
  /** `/livez`, `/readyz`, `/metrics`. */
  readonly admin: number;
  /** Port for paths that the gateway passes on to the service, if there are any. */
  readonly passed?: number;
}

/** The facts that services need about their platform. */
export interface ServiceSurroundings {
  /** The launcher's environment, from which services inherit everything but settings. */
  readonly environment: Environment;
  readonly settings: LauncherSettings;
  /** Secrets that all services share. */
  readonly secrets: KeptSecrets;
  /** Secrets that are different for each service. */
  readonly ownSecrets: Readonly<Record<'postgres.url' | 'nats.credentials', OwnSecrets>>;
  readonly baseUrl: string;
  readonly compileCache: string;
  /** Ports by service. */
  readonly ports: ReadonlyMap<string, ServicePorts>;
  readonly natsUrl: string | undefined;
  readonly openfgaUrl: string | undefined;
  /** Certificates that the launcher made, if it makes them. */
  readonly certificates?: Pick<Certificates, 'services' | 'operator'> | undefined;
}

/** {@link ServiceSurroundings}, completed while the servers come up. */
export type Surroundings = {
  -readonly [Name in keyof ServiceSurroundings]: ServiceSurroundings[Name];
};

/** Settings that the launcher sets for each service. */
const decidedHere: ReadonlySet<SettingKey> = new Set<SettingKey>([
  'server', 'token', 'home', 'config.file', 'postgres.url', 'nats.url', 'openfga.url', 'http.port', 'grpc.listen',
  'admin.listen',
]);

const loopback = '127.0.0.1';

/**
 * The whole environment of a service's process: every given setting, and as files the secrets in its row of the table
 * of services.
 */
export function serviceEnvironment(entry: Service, around: ServiceSurroundings): Record<string, string> {
  const { settings, secrets, ports } = around;
  const environment = inherited(around.environment);
  const set = (key: SettingKey, value: string): void => {
    environment[environmentName(key)] = value;
  };
  for (const [key, text] of settings.given) if (!isSecret(key) && !decidedHere.has(key)) set(key, text);
  environment['NODE_COMPILE_CACHE'] = around.compileCache;
  set('home', settings.home);
  // The launcher has read the settings file, which may contain secrets of other services.
  set('config.file', devNull);
  set('deployment.type', settings.deploymentType);
  set('run.mode', settings.runMode);
  set('http.baseURL', around.baseUrl);
  // The lab's clusters listen there.
  if (!settings.given.has('clusters.allowedCIDRs')) set('clusters.allowedCIDRs', '127.0.0.0/8');
  set('stop.timeout', `${settings.stopTimeoutMs}ms`);
  set('secrets.operatorVerifier', hash('sha256', secretIn(secrets, 'secrets.operatorCredential').value));

  const { api, admin } = ports.get(entry.name)!;
  set('admin.listen', formatAddress(loopback, admin));
  if (entry.http === true) {
    set('http.host', settings.httpHost);
    set('http.port', String(api));
  } else {
    set('grpc.listen', formatAddress(loopback, api));
  }
  for (const { name, addresses } of grpcServices) set(addresses, formatAddress(loopback, ports.get(name)!.api));
  for (const { name, passes } of services) {
    const port = ports.get(name)?.passed;
    if (passes === undefined || port === undefined) continue;
    const onHttpHost = passes.listen.endsWith('.port');
    const address = formatAddress(onHttpHost ? reachable(settings.httpHost) : loopback, port);
    if (name === entry.name) set(passes.listen as SettingKey, onHttpHost ? String(port) : address);
    if (name === entry.name && onHttpHost) set('http.host', settings.httpHost);
    if (entry.http === true) set(passes.addresses as SettingKey, address);
  }
  if (entry.bus !== undefined && around.natsUrl !== undefined) set('nats.url', around.natsUrl);
  if (entry.engine === true && around.openfgaUrl !== undefined) set('openfga.url', around.openfgaUrl);
  for (const key of secretsOf(entry)) {
    const isOwn = key === 'postgres.url' || key === 'nats.credentials';
    const kept = isOwn ? around.ownSecrets[key].get(entry.name) : secrets.get(key);
    if (kept !== undefined) environment[`${environmentName(key)}_FILE`] = kept.file;
  }
  const certificate = around.certificates?.services.get(entry.name);
  if (certificate !== undefined) {
    set('grpc.tls.ca', certificate.ca);
    set('grpc.tls.certificate', certificate.certificate);
    set('grpc.tls.key', certificate.key);
    if (entry.http === true && !settings.givenCertificate) {
      set('http.tls.certificate', certificate.certificate);
      set('http.tls.key', certificate.key);
    }
  }
  return environment;
}

/** The variables that are not settings of the platform. */
function inherited(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && !entry[0].startsWith('PLATFORM_');
  }));
}

/** Address of the gateway on this machine. */
export function localUrl(settings: Pick<LauncherSettings, 'httpHost' | 'tls'>, port: number): string {
  return `${settings.tls ? 'https' : 'http'}://${formatAddress(reachable(settings.httpHost), port)}`;
}

/** The address at which this machine reaches a server that listens on an interface. */
export function reachable(host: string): string {
  return ['0.0.0.0', '::', 'localhost'].includes(host) ? loopback : host;
}
