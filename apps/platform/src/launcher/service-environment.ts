import { hash } from 'node:crypto';
import { environmentName, formatAddress, type Service, type SettingKey } from '@platform/service';
import type { Certificates } from './certificates.ts';
import { type GeneratedSecret, generatedSecrets, type KeptSecret, type NatsSecret, natsSecrets } from './secrets.ts';
import type { Environment, LauncherSettings } from './settings.ts';

/** Ports of one service on 127.0.0.1, fixed before the first start. */
export interface ServicePorts {
  /** gRPC; for the gateway HTTP. */
  readonly api: number;
  /** `/livez`, `/readyz`, `/metrics`. */
  readonly admin: number;
}

/** What services are told of the platform they are part of. */
export interface ServiceSurroundings {
  /** The launcher's own environment, from which they inherit. */
  readonly environment: Environment;
  readonly settings: LauncherSettings;
  readonly secrets: Readonly<Record<GeneratedSecret, KeptSecret>>;
  readonly baseUrl: string;
  readonly compileCache: string;
  /** Ports by service. */
  readonly ports: ReadonlyMap<string, ServicePorts>;
  readonly entries: readonly Service[];
  /** URL with role and password, by service with a schema. */
  readonly postgresUrls: ReadonlyMap<string, string>;
  readonly nats: { readonly url: string } | undefined;
  readonly natsSecrets: Readonly<Partial<Record<NatsSecret, KeptSecret>>>;
  /** Certificates the launcher made, where it does. */
  readonly certificates?: Pick<Certificates, 'services' | 'operator'> | undefined;
  readonly openfga: { readonly url: string; readonly presharedKey: KeptSecret } | undefined;
}

/** {@link ServiceSurroundings}, completed while the servers come up. */
export type Surroundings = {
  -readonly [Name in keyof ServiceSurroundings]: ServiceSurroundings[Name];
};

/** What is the launcher's to say: never inherited, so that a service is told nothing it has no use for. */
const ownSettings: readonly SettingKey[] = [
  ...generatedSecrets,
  ...natsSecrets,
  'server',
  'token',
  'postgres.url',
  'nats.url',
  'openfga.url',
  'openfga.presharedKey',
  'http.port',
  'grpc.listen',
  'admin.listen',
];

const loopback = '127.0.0.1';

/** The whole environment of a service's process. Secrets are handed over as files. */
export function serviceEnvironment(entry: Service, around: ServiceSurroundings): Record<string, string> {
  const { settings, secrets, ports, entries } = around;
  const environment = inherited(around.environment);
  const set = (key: SettingKey, value: string): void => {
    environment[environmentName(key)] = value;
  };
  const hand = (key: SettingKey, kept: KeptSecret): void => {
    environment[`${environmentName(key)}_FILE`] = kept.file;
  };
  environment['NODE_COMPILE_CACHE'] = around.compileCache;
  set('home', settings.home);
  if (settings.settingsFile !== undefined) set('config.file', settings.settingsFile);
  set('deployment.type', settings.deploymentType);
  set('run.mode', settings.runMode);
  set('http.baseURL', around.baseUrl);
  set('stop.timeout', `${settings.stopTimeoutMs}ms`);

  const { api, admin } = ports.get(entry.name)!;
  set('admin.listen', formatAddress(loopback, admin));
  if (entry.http === true) {
    set('http.host', settings.httpHost);
    set('http.port', String(api));
  } else {
    set('grpc.listen', formatAddress(loopback, api));
  }
  for (const other of entries) {
    if (other.addresses !== undefined) set(other.addresses, formatAddress(loopback, ports.get(other.name)!.api));
  }
  set('secrets.operatorVerifier', hash('sha256', secrets['secrets.operatorCredential'].value));
  for (const key of generatedSecrets) {
    if (key === 'secrets.serviceCredential' || entry.secrets.some((own) => own === key)) hand(key, secrets[key]);
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
  const postgresUrl = around.postgresUrls.get(entry.name);
  if (postgresUrl !== undefined) set('postgres.url', postgresUrl);
  if (entry.bus !== undefined && around.nats !== undefined) {
    set('nats.url', around.nats.url);
    for (const key of natsSecrets) hand(key, around.natsSecrets[key]!);
  }
  if (entry.engine === true && around.openfga !== undefined) {
    set('openfga.url', around.openfga.url);
    hand('openfga.presharedKey', around.openfga.presharedKey);
  }
  return environment;
}

function inherited(environment: Environment): Record<string, string> {
  const own = new Set(ownSettings.flatMap((key) => [environmentName(key), `${environmentName(key)}_FILE`]));
  const kept = Object.entries(environment).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && !own.has(entry[0]);
  });
  return Object.fromEntries(kept);
}

/** Where the gateway answers on this machine. */
export function localUrl(settings: Pick<LauncherSettings, 'httpHost' | 'tls'>, port: number): string {
  const host = ['0.0.0.0', '::', 'localhost'].includes(settings.httpHost) ? loopback : settings.httpHost;
  return `${settings.tls ? 'https' : 'http'}://${formatAddress(host, port)}`;
}
