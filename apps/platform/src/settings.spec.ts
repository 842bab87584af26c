import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@platform/service';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './testdata/temporary-folder.ts';
import { type Environment, readLauncherSettings } from './settings.ts';

const ignore = (): void => undefined;

describe('readLauncherSettings', () => {
  it('is for trying everything unless somebody says otherwise', async () => {
    await using home = await temporaryFolder();
    expect(readLauncherSettings(home.path, {}, ignore)).toMatchObject({
      deploymentType: 'Hosted', runMode: 'dev', httpPort: 0, httpHost: '127.0.0.1', tls: false, given: new Map(),
    });
  });

  it('takes the settings file before its own defaults, and the environment before both', async () => {
    await using home = await temporaryFolder();
    await writeFile(join(home.path, 'platform.yaml'), 'deployment: {type: CloudDemo}\nhttp.port: 8080\n');
    expect(readLauncherSettings(home.path, { PLATFORM_HTTP_PORT: '9090' }, ignore)).toMatchObject({
      deploymentType: 'CloudDemo', runMode: 'dev', httpPort: 9090, settingsFile: join(home.path, 'platform.yaml'),
    });
  });

  it('takes secrets and addresses from the settings file', async () => {
    await using home = await temporaryFolder();
    const lines = ['secrets.encryptionKeys: [one, two]', 'postgres.url: postgres://me:pw@db:5432/postgres'];
    await writeFile(join(home.path, 'platform.yaml'), lines.join('\n'));
    expect(readLauncherSettings(home.path, {}, ignore)).toMatchObject({
      given: new Map([
        ['secrets.encryptionKeys', 'one,two'], ['postgres.url', 'postgres://me:pw@db:5432/postgres'],
      ]),
      givenServers: { PLATFORM_POSTGRES_URL: 'postgres://me:pw@db:5432/postgres' },
    });
  });

  it('warns of a name nobody knows', async () => {
    await using home = await temporaryFolder();
    const warnings: string[] = [];
    readLauncherSettings(home.path, { PLATFORM_HTTP_PROT: '1' }, (line) => warnings.push(line));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('PLATFORM_HTTP_PORT');
  });

  it('names what is wrong for a service too, and never the value of a secret', async () => {
    await using home = await temporaryFolder();
    const environment = {
      PLATFORM_HTTP_PORT: 'x', PLATFORM_LIMITS_ROLES_PER_TEAM: 'many', PLATFORM_POSTGRES_URL: 'https://me:hidden@db',
    };
    const message = refusal(home.path, environment);
    expect(message).toMatch(/PLATFORM_HTTP_PORT: is "x"; accepted is a whole number from 0 to 65535/);
    expect(message).toMatch(/PLATFORM_LIMITS_ROLES_PER_TEAM: is "many"; accepted is a whole number/);
    expect(message).toMatch(/PLATFORM_POSTGRES_URL: has an invalid value; accepted is a URL/);
    expect(message).not.toContain('hidden');
  });

  it('names what is wrong in the settings file also where --port or the environment overrides it', async () => {
    await using home = await temporaryFolder();
    await writeFile(join(home.path, 'platform.yaml'), 'http.port: 99999\n');
    expect(refusal(home.path, { PLATFORM_HTTP_PORT: '8080' })).toMatch(/platform\.yaml, http\.port: is "99999"; accepted/);
  });

  it('refuses what the launcher itself decides', async () => {
    await using home = await temporaryFolder();
    await writeFile(join(home.path, 'platform.yaml'), 'admin.listen: 127.0.0.1:9\n');
    const environment = {
      PLATFORM_GRPC_LISTEN: '127.0.0.1:8', PLATFORM_SERVICES_AUTHZ: '10.0.0.1:7', PLATFORM_SERVICES_UNHEARD: 'a:1',
    };
    const message = refusal(home.path, environment);
    expect(message).toMatch(/PLATFORM_GRPC_LISTEN: is set; accepted is nothing, because the launcher gives/);
    expect(message).toMatch(/platform\.yaml, admin\.listen: is set; accepted is nothing/);
    expect(message).toMatch(/PLATFORM_SERVICES_AUTHZ: is set; accepted is nothing, because the launcher runs authz itself/);
    expect(message).not.toContain('UNHEARD');
  });

  it.each([
    [{ PLATFORM_NATS_OPERATOR_SEED: 'SO' }, ['PLATFORM_NATS_OPERATOR_SEED: is set, but PLATFORM_NATS_URL is not']],
    [
      { PLATFORM_OPENFGA_PRESHARED_KEY: 'key' },
      ['PLATFORM_OPENFGA_PRESHARED_KEY: is set, but PLATFORM_OPENFGA_URL is not'],
    ],
    [
      { PLATFORM_OPENFGA_URL: 'http://fga', PLATFORM_NATS_URL: 'nats://bus', PLATFORM_NATS_CREDENTIALS: 'creds' },
      [
        'PLATFORM_OPENFGA_PRESHARED_KEY (or PLATFORM_OPENFGA_PRESHARED_KEY_FILE): is required with PLATFORM_OPENFGA_URL',
        'PLATFORM_NATS_ACCOUNT_SEED (or PLATFORM_NATS_ACCOUNT_SEED_FILE): is required with PLATFORM_NATS_URL',
      ],
    ],
  ])('refuses half an address of a server: %j', async (environment, expected) => {
    await using home = await temporaryFolder();
    const message = refusal(home.path, environment);
    for (const line of expected) expect(message).toContain(line);
  });

  it('refuses to go on for longer than a stop may take', async () => {
    await using home = await temporaryFolder();
    const message = refusal(home.path, { PLATFORM_STOP_DELAY: '4s' });
    expect(message).toContain('PLATFORM_STOP_DELAY: is 4000 ms; accepted is less than stop.timeout, which is 4000 ms');
  });

  it('names everything that is wrong at once', async () => {
    await using home = await temporaryFolder();
    const environment = { PLATFORM_HTTP_PORT: 'x', PLATFORM_RUN_MODE: 'y' };
    const read = (): unknown => readLauncherSettings(home.path, environment, ignore);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PLATFORM_RUN_MODE[^]*PLATFORM_HTTP_PORT/);
  });
});

/** The error for wrong settings. */
function refusal(home: string, environment: Environment): string {
  try {
    readLauncherSettings(home, environment, ignore);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}
