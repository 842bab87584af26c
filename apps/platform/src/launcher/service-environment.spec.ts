import { describe, expect, it } from '@jest/globals';
import { environmentName, secretsOf, type ServiceName, services, type SettingKey } from '@platform/service';
import { readLauncherSettings } from '../settings.ts';
import { serviceEnvironment, type ServiceSurroundings } from './service-environment.ts';

const kept = (name: string) => ({ value: `value of ${name}`, file: `/state/secrets/${name}` });

/** Keys that differ between services: the database and the bus user. */
const ownKeys: readonly SettingKey[] = ['postgres.url', 'nats.credentials'];
const shared: readonly SettingKey[] = [
  'secrets.operatorCredential', ...new Set(services.flatMap(secretsOf).filter((key) => !ownKeys.includes(key))),
];
const environment = {
  HOME: '/home/somebody',
  PLATFORM_POSTGRES_URL: 'postgres://super:user@db/postgres',
  PLATFORM_SECRETS_TOKEN_KEY: 'from outside',
  PLATFORM_ORGS_ALLOW_CREATE: 'false',
  PLATFORM_HTTP_PORT: '1',
};

const around: ServiceSurroundings = {
  environment,
  settings: readLauncherSettings('/state', environment, () => undefined),
  secrets: new Map(shared.map((key) => [key, kept(key)])),
  ownSecrets: {
    'postgres.url': new Map(services.map(({ name }) => [name, kept(`postgres-url-of-${name}`)])),
    'nats.credentials': new Map(services.map(({ name }) => [name, kept(`nats-credentials-of-${name}`)])),
  },
  baseUrl: 'http://127.0.0.1:4000',
  compileCache: '/cache',
  ports: new Map(services.map(({ name }, index) => [name, { api: 4_000 + index * 10, admin: 4_001 + index * 10 }])),
  natsUrl: 'nats://127.0.0.1:4222',
  openfgaUrl: 'http://127.0.0.1:8080',
};

function environmentOf(name: ServiceName, surroundings = around): Record<string, string> {
  return serviceEnvironment(services.find((service) => service.name === name)!, surroundings);
}

describe('serviceEnvironment', () => {
  it.each(services.map((service) => [service.name, service] as const))('hands %s its secrets and no others', (name, service) => {
    const files = Object.keys(environmentOf(name)).filter((variable) => variable.endsWith('_FILE'));
    const own = [...secretsOf(service).map((key) => `${environmentName(key)}_FILE`), 'PLATFORM_CONFIG_FILE'];
    expect(files.toSorted()).toEqual(own.toSorted());
  });

  it('hands over database and bus under a role and a user of the service itself', () => {
    const files = environmentOf('orgs-teams');
    expect(files['PLATFORM_POSTGRES_URL_FILE']).toBe('/state/secrets/postgres-url-of-orgs-teams');
    expect(files['PLATFORM_NATS_CREDENTIALS_FILE']).toBe('/state/secrets/nats-credentials-of-orgs-teams');
  });

  it('never puts a secret itself into an environment, nor passes on what only the launcher uses', () => {
    for (const { name } of services) {
      const values = Object.values(environmentOf(name));
      expect(values.filter((value) => /value of|super:user|from outside/.test(value))).toEqual([]);
    }
  });

  it('passes on every other setting, and where the other services are', () => {
    expect(environmentOf('gateway')).toMatchObject({
      HOME: '/home/somebody',
      PLATFORM_ORGS_ALLOW_CREATE: 'false',
      PLATFORM_DEPLOYMENT_TYPE: 'Hosted',
      PLATFORM_RUN_MODE: 'dev',
      PLATFORM_HTTP_PORT: '4000',
      PLATFORM_ADMIN_LISTEN: '127.0.0.1:4001',
      PLATFORM_SERVICES_ORGS_TEAMS: '127.0.0.1:4010',
      PLATFORM_SERVICES_AUTHZ: '127.0.0.1:4020',
    });
  });

  it('lets clusters of this machine be imported in run mode dev alone', () => {
    const production = { ...environment, PLATFORM_RUN_MODE: 'prod' };
    const inProduction = { ...around, settings: readLauncherSettings('/state', production, () => undefined) };
    expect(environmentOf('clusters')['PLATFORM_CLUSTERS_ALLOWED_CIDRS']).toBe('127.0.0.0/8');
    expect(environmentOf('clusters', inProduction)['PLATFORM_CLUSTERS_ALLOWED_CIDRS']).toBeUndefined();
  });
});
