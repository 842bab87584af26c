import {
  type ConfigProblem, environmentName, grpcServices, type SettingKey, settings, type SettingsRule, stopRule,
} from '@platform/service';

/** Settings that only the launcher gives to services, and why. */
const decidedHere: ReadonlyMap<SettingKey, string> = new Map<SettingKey, string>([
  ['grpc.listen', 'nothing, because the launcher gives each service its address'],
  ['admin.listen', 'nothing, because the launcher gives each service its address'],
  ...grpcServices.map(({ name, addresses }): [SettingKey, string] => {
    return [addresses, `nothing, because the launcher runs ${name} itself`];
  }),
]);

/** Settings that belong to the address of an external server: all of them must be given, or none. */
const together: readonly (readonly [SettingKey, readonly SettingKey[]])[] = [
  ['nats.url', ['nats.credentials', 'nats.systemCredentials', 'nats.accountSeed', 'nats.operatorSeed']],
  ['openfga.url', ['openfga.presharedKey']],
];

/** The rule for combinations of settings under a launcher. */
export const launcherRule: SettingsRule = (given, valueOf) => [
  ...decidedByOthers(given), ...halfGiven(given), ...stopRule(given, valueOf),
];

type Given = Parameters<SettingsRule>[0];

function decidedByOthers(given: Given): ConfigProblem[] {
  return [...decidedHere].flatMap(([key, accepts]) => {
    const where = given(key);
    return where === undefined ? [] : [{ key, where, found: 'is set', accepts }];
  });
}

function halfGiven(given: Given): ConfigProblem[] {
  return together.flatMap(([url, others]) => {
    const address = given(url);
    const absent = others.filter((key) => given(key) === undefined);
    if (address !== undefined) return absent.map((key) => missing(key, address));
    return others.flatMap((key) => {
      const where = given(key);
      if (where === undefined) return [];
      const accepts = 'nothing, unless the address of that server is set';
      return [{ key, where, found: `is set, but ${environmentName(url)} is not`, accepts }];
    });
  });
}

function missing(key: SettingKey, address: string): ConfigProblem {
  const name = environmentName(key);
  const where = `${name} (or ${name}_FILE)`;
  return { key, where, found: `is required with ${address} and not set`, accepts: settings[key].kind.accepts };
}
