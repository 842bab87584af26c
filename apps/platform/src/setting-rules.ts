import {
  type ConfigProblem, environmentName, grpcServices, type SettingKey, settings, type SettingsRule, stopRule,
} from '@platform/service';
import { natsSecrets } from './kept-secrets.ts';

/** Settings that only the launcher may set, each with the text after `accepted is` in the error message. */
const decidedHere: readonly (readonly [SettingKey, string])[] = [
  ['grpc.listen', 'nothing, because the launcher gives each service its address'],
  ['admin.listen', 'nothing, because the launcher gives each service its address'],
  ...grpcServices.map(({ name, addresses }): [SettingKey, string] =>
    [addresses, `nothing, because the launcher runs ${name} itself`]),
];

/** Addresses of external servers, with secrets. An address requires its secrets. Secrets require their address. */
const together: readonly (readonly [SettingKey, readonly SettingKey[]])[] = [
  ['nats.url', natsSecrets],
  ['openfga.url', ['openfga.presharedKey']],
];

export const launcherRule: SettingsRule = (given, valueOf) => [
  ...decidedHere.flatMap(([key, accepts]) => isSet(key, given(key), 'is set', accepts)),
  ...together.flatMap(([url, others]) => others.flatMap((key) => besideAddress(key, url, given))),
  ...stopRule(given, valueOf),
];

function besideAddress(key: SettingKey, url: SettingKey, given: Parameters<SettingsRule>[0]): ConfigProblem[] {
  const [address, where] = [given(url), given(key)];
  if (address === undefined) {
    const found = `is set, but ${environmentName(url)} is not`;
    return isSet(key, where, found, `nothing, unless ${environmentName(url)} is set`);
  }
  return where === undefined ? [missing(key, `is required with ${address}, but not set`)] : [];
}

export function missing(key: SettingKey, found: string): ConfigProblem {
  const name = environmentName(key);
  return { key, where: `${name} (or ${name}_FILE)`, found, accepts: settings[key].kind.accepts };
}

function isSet(key: SettingKey, where: string | undefined, found: string, accepts: string): ConfigProblem[] {
  return where === undefined ? [] : [{ key, where, found, accepts }];
}
