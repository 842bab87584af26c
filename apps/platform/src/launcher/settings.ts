import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environmentName, type Logger, optional, readConfig, type Secret, type SettingKey } from '@platform/service';
import { type GeneratedSecret, generatedSecrets } from './secrets.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the launcher itself reads of the settings; the services read theirs from what it hands them. */
export interface LauncherSettings {
  readonly home: string;
  /** `platform.yaml` or what `PLATFORM_CONFIG_FILE` names; undefined when there is none. */
  readonly settingsFile: string | undefined;
  readonly deploymentType: string;
  readonly runMode: string;
  readonly httpHost: string;
  /** 0: a free one. */
  readonly httpPort: number;
  /** The address people use, where it is not the gateway's own. */
  readonly baseUrl: string | undefined;
  /** The gateway speaks HTTPS. */
  readonly tls: boolean;
  /** The launcher makes the certificates. */
  readonly ownCertificates: boolean;
  /** The gateway's certificate is somebody else's. */
  readonly givenCertificate: boolean;
  /** How long a service may take to stop. */
  readonly stopTimeoutMs: number;
  /** How long a service may give no sign of life before it is started again; 0: for ever. */
  readonly silenceMs: number;
  /** Secrets that somebody set; the others are generated. */
  readonly givenSecrets: Readonly<Partial<Record<GeneratedSecret, string>>>;
  /** Addresses of servers that somebody else runs, as they would be set in the environment. */
  readonly serverAddresses: Readonly<Record<string, string>>;
}

/** `npm start` is for trying everything (operator.md §1); production sets its own. */
const launcherDefaults: Readonly<Partial<Record<SettingKey, string>>> = {
  'deployment.type': 'Hosted',
  'run.mode': 'dev',
  // All parts together stop within 10 s.
  'stop.timeout': '4s',
};

/**
 * Reads the launcher's settings from the environment and the settings file of this state folder.
 * @param warn receives a line about each name nobody knows
 * @throws ConfigError with everything that is wrong
 */
export function readLauncherSettings(
  home: string,
  environment: Environment,
  warn: (line: string) => void,
): LauncherSettings {
  const named = environment[environmentName('config.file')]?.trim() ?? '';
  const usual = join(home, 'platform.yaml');
  const settingsFile = named === '' ? (existsSync(usual) ? usual : undefined) : named;
  const config = readConfig(
    {
      deploymentType: 'deployment.type',
      runMode: 'run.mode',
      httpHost: 'http.host',
      httpPort: 'http.port',
      baseUrl: optional('http.baseURL'),
      tls: 'tls',
      certificate: optional('http.tls.certificate'),
      stopTimeoutMs: 'stop.timeout',
      silenceMs: 'supervise.silence',
      encryptionKeys: optional('secrets.encryptionKeys'),
      tokenKey: optional('secrets.tokenKey'),
      serviceCredential: optional('secrets.serviceCredential'),
      operatorCredential: optional('secrets.operatorCredential'),
      adminToken: optional('secrets.adminToken'),
      postgresUrl: optional('postgres.url'),
      natsUrl: optional('nats.url'),
      openfgaUrl: optional('openfga.url'),
      presharedKey: optional('openfga.presharedKey'),
    },
    {
      environment,
      defaults: launcherDefaults,
      ...(settingsFile === undefined ? {} : { file: settingsFile }),
      log: warningsTo(warn),
    },
  );
  return {
    home,
    settingsFile,
    deploymentType: config.deploymentType,
    runMode: config.runMode,
    httpHost: config.httpHost,
    httpPort: config.httpPort,
    baseUrl: config.baseUrl,
    tls: config.certificate !== undefined || config.tls === 'auto',
    ownCertificates: config.tls === 'auto',
    givenCertificate: config.certificate !== undefined,
    stopTimeoutMs: config.stopTimeoutMs,
    silenceMs: config.silenceMs,
    givenSecrets: revealed({
      'secrets.encryptionKeys': config.encryptionKeys,
      'secrets.tokenKey': config.tokenKey,
      'secrets.serviceCredential': config.serviceCredential,
      'secrets.operatorCredential': config.operatorCredential,
      'secrets.adminToken': config.adminToken,
    }),
    serverAddresses: withoutAbsent({
      [environmentName('postgres.url')]: config.postgresUrl?.reveal(),
      [environmentName('nats.url')]: config.natsUrl?.join(','),
      [environmentName('openfga.url')]: config.openfgaUrl,
      [environmentName('openfga.presharedKey')]: config.presharedKey?.reveal(),
    }),
  };
}

type Given = Readonly<Record<GeneratedSecret, Secret | readonly Secret[] | undefined>>;

function revealed(given: Given): Partial<Record<GeneratedSecret, string>> {
  const found: Partial<Record<GeneratedSecret, string>> = {};
  for (const key of generatedSecrets) {
    const value = given[key];
    if (value === undefined) continue;
    found[key] = [value].flat().map((secret) => secret.reveal()).join(',');
  }
  return found;
}

function withoutAbsent(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(present);
}

/** A logger for `readConfig`, which only warns. */
function warningsTo(warn: (line: string) => void): Logger {
  const ignore = (): void => undefined;
  const logger: Logger = {
    trace: ignore,
    debug: ignore,
    info: ignore,
    error: ignore,
    fatal: ignore,
    warn: (fields, message) => {
      const { setting, nearest, file } = fields as { setting?: string; nearest?: string; file?: string };
      const where = file === undefined ? '' : ` in ${file}`;
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      warn(`${setting}${where}: ${message}${hint}`);
    },
    child: () => logger,
    enabled: (level) => level === 'warn',
  };
  return logger;
}
