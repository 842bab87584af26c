import { expect, it } from '@jest/globals';
import { ConfigError } from '@platform/service';
import { readConfig } from './config.ts';

const provider = { name: 'lab', title: 'Lab', clientID: 'platform', clientSecret: 'secret' };

function problems(mode: string, issuer: string): readonly string[] {
  const environment = {
    PLATFORM_RUN_MODE: mode, PLATFORM_AUTH_OIDC: JSON.stringify([{ ...provider, issuer }]),
    PLATFORM_SERVICES_AUTHZ: '127.0.0.1:1', PLATFORM_POSTGRES_URL: 'postgres://127.0.0.1/platform',
    PLATFORM_SECRETS_SERVICE_CREDENTIAL: 's'.repeat(32), PLATFORM_SECRETS_TOKEN_KEY: 't'.repeat(32),
    PLATFORM_SECRETS_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  try {
    readConfig({ environment });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ key }) => key);
  }
}

it.each([
  ['dev', 'http://127.0.0.1:9000', []],
  ['prod', 'https://id.example.org', []],
  ['prod', 'http://127.0.0.1:9000', ['auth.oidc']],
  ['dev', 'http://id.example.org', ['auth.oidc']],
])('in run mode %s the issuer %s has the problems %j', (mode, issuer, expected) => {
  expect(problems(mode, issuer)).toEqual(expected);
});
