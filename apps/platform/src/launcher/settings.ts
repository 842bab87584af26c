import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  environmentName, everySetting, givenTexts, type Logger, readConfig, type SettingKey, type SettingsRule,
} from '@platform/service';
import { natsSecrets } from '../kept-secrets.ts';
import { launcherRule } from './setting-rules.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that the launcher itself reads. Each service also gets the settings it may know. */
export interface LauncherSettings {
  readonly home: string;
  /** `platform.yaml` or what `PLATFORM_CONFIG_FILE` names; undefined when there is none. */
  readonly settingsFile: string | undefined;
  readonly deploymentType: string;
  readonly runMode: string;
  readonly httpHost: string;
  /** 0: a free one. */
  readonly httpPort: number;
  /** Of the marketplace listener; 0: a free one. */
  readonly listenerPort: number;
  /** The address that people use, if it is not the gateway's own. */
  readonly baseUrl: string | undefined;
  /** The gateway speaks HTTPS. */
  readonly tls: boolean;
  /** The launcher makes the certificates. */
  readonly ownCertificates: boolean;
  /** Whether the gateway's certificate is given. */
  readonly givenCertificate: boolean;
  /** How long a service may take to stop. */
  readonly stopTimeoutMs: number;
  /** How long a service may be unresponsive before it is restarted; 0: for ever. */
  readonly silenceMs: number;
  /** Every given setting, as it would be written in the environment. */
  readonly given: ReadonlyMap<SettingKey, string>;
  /** Settings of the three servers (address, or binaries), by environment variable. */
  readonly givenServers: Readonly<Record<string, string>>;
}

/** `npm start` is for trying everything (operator.md §1); production sets its own values. */
const launcherDefaults: Readonly<Partial<Record<SettingKey, string>>> = {
  'deployment.type': 'Hosted',
  'run.mode': 'dev',
  // The gateway stops first, then the other services: together within 10 s.
  'stop.timeout': '4s',
};

/** Settings that select PostgreSQL, NATS and OpenFGA. */
const serverSettings = [
  'postgres.url',
  'postgres.binaries',
  'nats.url',
  ...natsSecrets,
  'nats.binary',
  'openfga.url',
  'openfga.presharedKey',
  'openfga.binary',
] as const;

/**
 * Reads the settings from the environment and the settings file of this state folder: those the launcher itself needs,
 * and all others too, so that a wrong setting of a service is reported before anything starts.
 * @param warn receives a line about each name nobody knows
 * @param rule what must hold of settings together
 * @throws ConfigError with everything that is wrong
 */
export function readLauncherSettings(
  home: string,
  environment: Environment,
  warn: (line: string) => void,
  rule: SettingsRule = launcherRule,
): LauncherSettings {
  const named = environment[environmentName('config.file')]?.trim() ?? '';
  const usual = join(home, 'platform.yaml');
  const settingsFile = named === '' ? (existsSync(usual) ? usual : undefined) : named;
  const source = { environment, ...(settingsFile === undefined ? {} : { file: settingsFile }) };
  const config = readConfig(everySetting, { ...source, defaults: launcherDefaults, rule, log: warningsTo(warn) });
  const given = givenTexts(source);
  return {
    home,
    settingsFile,
    deploymentType: config['deployment.type'],
    runMode: config['run.mode'],
    httpHost: config['http.host'],
    httpPort: config['http.port'],
    listenerPort: config['marketplace.listener.port'],
    baseUrl: config['http.baseURL'],
    tls: config['http.tls.certificate'] !== undefined || config.tls === 'auto',
    ownCertificates: config.tls === 'auto',
    givenCertificate: config['http.tls.certificate'] !== undefined,
    stopTimeoutMs: config['stop.timeout'],
    silenceMs: config['supervise.silence'],
    given,
    givenServers: Object.fromEntries(serverSettings.flatMap((key) => {
      const text = given.get(key);
      return text === undefined ? [] : [[environmentName(key), text]];
    })),
  };
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
