import { givenTexts, optional, readConfig, type SettingKey, type SettingsRule, silentLogger } from '@platform/service';
import { natsSecrets } from '../kept-secrets.ts';
import { missing } from '../setting-rules.ts';
import type { Environment } from '../settings.ts';

/** Settings of a deployment. Each value is a text, as in an environment variable. */
export type GivenSettings = ReadonlyMap<SettingKey, string>;

/** Requires all secrets of an external NATS, or none. Without these secrets, the deployment runs its own NATS. */
const together: SettingsRule = (given) => {
  const absent = natsSecrets.filter((key) => given(key) === undefined);
  if (absent.length === natsSecrets.length) return [];
  return absent.map((key) => missing(key, 'must be set, because another secret of NATS is set'));
};

/**
 * Returns the settings in the environment and the settings file. Checks only `postgres.url`, `openfga.presharedKey` and
 * the secrets of NATS.
 * @throws ConfigError with all problems
 */
export function readGivenSettings(environment: Environment): GivenSettings {
  const keys = ['postgres.url', 'openfga.presharedKey', ...natsSecrets] as const;
  const picks = Object.fromEntries(keys.map((key) => [key, optional(key)]));
  readConfig(picks, { environment, rule: together, log: silentLogger });
  return givenTexts({ environment });
}
