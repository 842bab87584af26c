import type { Service } from './services.ts';
import { type SettingKey, settings } from './settings.ts';

/** Secret settings that every service reads. */
const ofEvery: readonly SettingKey[] = ['secrets.serviceCredential', 'telemetry.headers'];

/** Secret settings needed to create accounts and users on the bus. */
const ofAdmission: readonly SettingKey[] = ['nats.systemCredentials', 'nats.accountSeed', 'nats.operatorSeed'];

/** The secret settings that a service reads. Its process receives only these. */
export function secretsOf({ schema, engine, bus, secrets }: Service): readonly SettingKey[] {
  return [
    ...ofEvery,
    ...(schema ? ['postgres.url' as const] : []),
    ...(engine ? ['openfga.presharedKey' as const] : []),
    ...(bus ? ['nats.credentials' as const] : []),
    ...(bus?.admits ? ofAdmission : []),
    ...secrets,
  ];
}

/** Whether a setting is secret: its values are never shown. */
export function isSecret(key: SettingKey): boolean {
  return settings[key].kind.secret;
}
