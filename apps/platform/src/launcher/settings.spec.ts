import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@platform/service';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { readLauncherSettings } from './settings.ts';

const ignore = (): void => undefined;

describe('readLauncherSettings', () => {
  it('is for trying everything unless somebody says otherwise', async () => {
    await using home = await temporaryFolder();
    expect(readLauncherSettings(home.path, {}, ignore)).toMatchObject({
      deploymentType: 'Hosted', runMode: 'dev', httpPort: 0, httpHost: '127.0.0.1', tls: false, givenSecrets: {},
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
      givenSecrets: { 'secrets.encryptionKeys': 'one,two' },
      serverAddresses: { PLATFORM_POSTGRES_URL: 'postgres://me:pw@db:5432/postgres' },
    });
  });

  it('warns of a name nobody knows', async () => {
    await using home = await temporaryFolder();
    const warnings: string[] = [];
    readLauncherSettings(home.path, { PLATFORM_HTTP_PROT: '1' }, (line) => warnings.push(line));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('PLATFORM_HTTP_PORT');
  });

  it('names everything that is wrong at once', async () => {
    await using home = await temporaryFolder();
    const environment = { PLATFORM_HTTP_PORT: 'x', PLATFORM_RUN_MODE: 'y' };
    const read = (): unknown => readLauncherSettings(home.path, environment, ignore);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PLATFORM_RUN_MODE[^]*PLATFORM_HTTP_PORT/);
  });
});
