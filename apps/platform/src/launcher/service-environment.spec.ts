import { describe, expect, it } from '@jest/globals';
import { services } from '@platform/service';
import { readLauncherSettings } from './settings.ts';
import { serviceEnvironment, type ServiceSurroundings } from './service-environment.ts';

const kept = (name: string) => ({ value: `value of ${name}`, file: `/state/secrets/${name}` });

const around: ServiceSurroundings = {
  environment: {
    HOME: '/home/somebody',
    PLATFORM_POSTGRES_URL: 'postgres://super:user@db/postgres',
    PLATFORM_SECRETS_TOKEN_KEY: 'from outside',
    PLATFORM_ORGS_ALLOW_CREATE: 'false',
    PLATFORM_HTTP_PORT: '1',
  },
  settings: readLauncherSettings('/state', {}, () => undefined),
  secrets: {
    'secrets.encryptionKeys': kept('encryption-key'),
    'secrets.tokenKey': kept('token-key'),
    'secrets.serviceCredential': kept('service-credential'),
    'secrets.operatorCredential': kept('operator-credential'),
    'secrets.adminToken': kept('admin-token'),
  },
  baseUrl: 'http://127.0.0.1:4000',
  compileCache: '/cache',
  ports: new Map(services.map(({ name }, index) => [name, { api: 4_000 + index * 10, admin: 4_001 + index * 10 }])),
  entries: services,
  postgresUrls: new Map([['orgs-teams', 'postgres://own:role@db/platform']]),
  nats: { url: 'nats://127.0.0.1:4222' },
  natsSecrets: {
    'nats.credentials': kept('a'), 'nats.systemCredentials': kept('b'), 'nats.accountSeed': kept('c'),
    'nats.operatorSeed': kept('d'),
  },
  openfga: { url: 'http://127.0.0.1:8080', presharedKey: kept('openfga') },
};

describe('serviceEnvironment', () => {
  it('hands a service its own secrets and nobody else\'s', () => {
    const gateway = names('gateway');
    const authz = names('authz');
    const organizations = names('orgs-teams');
    const own = ['PLATFORM_SECRETS_TOKEN_KEY_FILE', 'PLATFORM_POSTGRES_URL', 'PLATFORM_SECRETS_ADMIN_TOKEN_FILE'];
    for (const name of own) {
      expect(organizations).toContain(name);
      expect(gateway).not.toContain(name);
      expect(authz).not.toContain(name);
    }
    expect(authz).toContain('PLATFORM_OPENFGA_PRESHARED_KEY_FILE');
    expect([...gateway, ...organizations]).not.toContain('PLATFORM_OPENFGA_PRESHARED_KEY_FILE');
    for (const every of [gateway, authz, organizations]) {
      expect(every).toContain('PLATFORM_SECRETS_SERVICE_CREDENTIAL_FILE');
    }
  });

  it('never puts a secret itself into an environment, nor passes on what the launcher was given for itself', () => {
    for (const entry of services) {
      const values = Object.values(serviceEnvironment(entry, around));
      expect(values.filter((value) => /value of|super:user|from outside/.test(value))).toEqual([]);
    }
  });

  it('passes on every other setting, and tells where the others are', () => {
    const entry = services.find(({ name }) => name === 'gateway')!;
    expect(serviceEnvironment(entry, around)).toMatchObject({
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
});

function names(service: string): string[] {
  return Object.keys(serviceEnvironment(services.find(({ name }) => name === service)!, around));
}
