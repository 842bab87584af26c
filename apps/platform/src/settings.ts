import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config, environmentName, everySetting, givenTexts, type Logger, optional, readConfig, type SettingKey,
  type SettingsRule, silentLogger,
} from '@platform/service';
import { natsSecrets } from './kept-secrets.ts';
import { launcherRule } from './setting-rules.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that become fields of {@link LauncherSettings}, by name of the field. */
const ownSettings = {
  deploymentType: 'deployment.type',
  runMode: 'run.mode',
  httpHost: 'http.host',
  /** 0 chooses a free port. */
  httpPort: 'http.port',
  /** Port of the marketplace listener; 0 chooses a free port. */
  listenerPort: 'marketplace.listener.port',
  /** Public address of the platform. Undefined: the gateway's own address is used. */
  baseUrl: optional('http.baseURL'),
  /** How long a service may take to stop. */
  stopTimeoutMs: 'stop.timeout',
  /**
   * How long a service may leave health checks unanswered before it is restarted; 0: unlimited. PostgreSQL, NATS and
   * OpenFGA get more time.
   */
  silenceMs: 'supervise.silence',
} as const;

export interface LauncherSettings extends Config<typeof ownSettings> {
  readonly home: string;
  /** The file that `PLATFORM_CONFIG_FILE` names, or `platform.yaml` in the state folder; undefined without a file. */
  readonly settingsFile: string | undefined;
  /** Whether the gateway uses HTTPS. */
  readonly tls: boolean;
  /** Whether the launcher issues the certificates of the services: setting `tls` is `auto`. */
  readonly ownCertificates: boolean;
  readonly givenCertificate: boolean;
  /** The settings from the environment and the settings file, as texts in the notation of environment variables. */
  readonly given: ReadonlyMap<SettingKey, string>;
  /** The given settings of PostgreSQL, NATS and OpenFGA, by environment variable. */
  readonly givenServers: Readonly<Record<string, string>>;
}

/** Defaults of the launcher. They are for trials of the platform, not for production (operator.md §1). */
const launcherDefaults: Readonly<Partial<Record<SettingKey, string>>> = {
  'deployment.type': 'Hosted',
  'run.mode': 'dev',
  // The gateway stops first, then the other services. Each of these two phases gets this time.
  'stop.timeout': '4s',
};

const serverSettings = [
  'postgres.url', 'postgres.binaries', 'nats.url', ...natsSecrets, 'nats.binary', 'openfga.url', 'openfga.presharedKey',
  'openfga.binary',
] as const;

/**
 * Reads the settings from the environment and the settings file. Also checks settings that only services use, so that
 * a wrong setting of a service is reported before anything starts.
 * @param warn receives a line about each unknown setting
 * @param rule checks combinations of settings
 * @throws ConfigError with everything that is wrong
 */
export function readLauncherSettings(
  home: string, environment: Environment, warn: (line: string) => void, rule: SettingsRule = launcherRule,
): LauncherSettings {
  const named = environment[environmentName('config.file')]?.trim() ?? '';
  const usual = join(home, 'platform.yaml');
  const settingsFile = named === '' ? (existsSync(usual) ? usual : undefined) : named;
  const source = { environment, defaults: launcherDefaults, ...(settingsFile !== undefined && { file: settingsFile }) };
  const every = readConfig(everySetting, { ...source, rule, log: warningsTo(warn) });
  const given = givenTexts(source);
  const ownCertificates = every.tls === 'auto';
  const givenCertificate = every['http.tls.certificate'] !== undefined;
  return {
    ...readConfig(ownSettings, source),
    home,
    settingsFile,
    tls: givenCertificate || ownCertificates,
    ownCertificates,
    givenCertificate,
    given,
    givenServers: Object.fromEntries(serverSettings.filter((key) => given.has(key))
      .map((key) => [environmentName(key), given.get(key)!])),
  };
}

function warningsTo(warn: (line: string) => void): Logger {
  return {
    ...silentLogger,
    warn: (fields, message) => {
      const { setting, nearest, file } = fields as { setting?: string; nearest?: string; file?: string };
      const where = file === undefined ? '' : ` in ${file}`;
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      warn(`${setting}${where}: ${message}${hint}`);
    },
  };
}
