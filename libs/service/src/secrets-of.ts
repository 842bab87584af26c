import type { Service } from './services.ts';
import { type SettingKey, settings } from './settings.ts';

/** The secret settings that a service reads. */
export function secretsOf({ schema, engine, bus, secrets }: Service): readonly SettingKey[] {
  return [
    'secrets.serviceCredential', 'telemetry.headers',
    ...(schema ? ['postgres.url' as const] : []),
    ...(engine ? ['openfga.presharedKey' as const] : []),
    ...(bus ? ['nats.credentials' as const] : []),
    ...(bus?.admits ? ['nats.systemCredentials', 'nats.accountSeed', 'nats.operatorSeed'] as const : []),
    ...secrets,
  ];
}

/** Whether the values of a setting are secret. */
export function isSecret(key: SettingKey): boolean {
  return settings[key].kind.secret;
}
