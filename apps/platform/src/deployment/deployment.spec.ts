import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { openState } from '@platform/backing';
import { accountOf } from '@platform/bus';
import { connect, sql } from '@platform/postgres';
import { ConfigError, everySetting, readConfig, secretsOf, services, silentLogger } from '@platform/service';
import { ownPostgres } from '@platform/testing';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { readGivenSettings } from './given-settings.ts';
import { describeParts, type PartFiles } from './parts.ts';
import { writeFolders } from './write-folders.ts';

const beside = { PLATFORM_POSTGRES_URL: 'postgres://postgres@postgres:5432/postgres' };
const run = promisify(execFile);
const main = join(import.meta.dirname, '../main.ts');

async function parts(home: string, environment: Readonly<Record<string, string>> = beside): Promise<PartFiles> {
  return describeParts(await openState(home), readGivenSettings(environment));
}

function settingsOf(files: PartFiles, part: string): Readonly<Record<string, string>> {
  return JSON.parse(files.get(part)!['platform.yaml']!) as Record<string, string>;
}

async function platform(argv: readonly string[], environment: Readonly<Record<string, string>>): Promise<unknown> {
  const env = { ...process.env, ...environment };
  return JSON.parse((await run(process.execPath, [main, ...argv, '--json'], { env })).stdout);
}

describe('parts of a deployment', () => {
  it.each(services.map((service) => [service.name, service] as const))(
    'give %s the secrets of its row and no others',
    async (name, service) => {
      await using folder = await temporaryFolder();
      const settings = settingsOf(await parts(folder.path), name);
      const permitted = [...secretsOf(service), 'secrets.operatorVerifier'];
      expect(Object.keys(settings).filter((key) => !permitted.some((other) => other === key))).toEqual([]);
      expect(settings).toHaveProperty(['secrets.serviceCredential']);
      expect('postgres.url' in settings).toBe(service.schema === true);
      expect('nats.credentials' in settings).toBe(service.bus !== undefined);
    },
  );

  it('are settings that services can read', async () => {
    await using folder = await temporaryFolder();
    await writeFolders(folder.path, await parts(join(folder.path, 'state')), undefined);
    for (const { name } of services) {
      const environment = { PLATFORM_CONFIG_FILE: join(folder.path, name, 'platform.yaml') };
      const config = readConfig(everySetting, { environment, log: silentLogger });
      expect(config['secrets.operatorVerifier']).toHaveLength(32);
    }
  });

  it('stay the same when they are made again', async () => {
    await using folder = await temporaryFolder();
    const first = await parts(folder.path);
    const secrets = async () => (await readdir(join(folder.path, 'secrets'))).toSorted();
    const before = await secrets();
    expect(await parts(folder.path)).toEqual(first);
    expect(await secrets()).toEqual(before);
  });

  it('have new bus users when the account at NATS is another one', async () => {
    await using folder = await temporaryFolder();
    const other = settingsOf(await parts(join(folder.path, 'other')), 'orgs-teams');
    const home = join(folder.path, 'own');
    const first = settingsOf(await parts(home), 'billing-dashboard')['nats.credentials']!;
    const moved = await parts(home, {
      ...beside,
      PLATFORM_NATS_CREDENTIALS: other['nats.credentials']!,
      PLATFORM_NATS_SYSTEM_CREDENTIALS: other['nats.systemCredentials']!,
      PLATFORM_NATS_ACCOUNT_SEED: other['nats.accountSeed']!,
      PLATFORM_NATS_OPERATOR_SEED: other['nats.operatorSeed']!,
    });
    const second = settingsOf(moved, 'billing-dashboard')['nats.credentials']!;
    expect(accountOf(second)).toBe(accountOf(other['nats.credentials']!));
    expect(accountOf(second)).not.toBe(accountOf(first));
  });

  it('leave out servers that somebody else runs', async () => {
    await using folder = await temporaryFolder();
    const orgsTeams = settingsOf(await parts(join(folder.path, 'other')), 'orgs-teams');
    const found = await parts(join(folder.path, 'own'), {
      PLATFORM_POSTGRES_URL: 'postgres://admin:word@db.example:5432/postgres',
      PLATFORM_OPENFGA_PRESHARED_KEY: 'given-key',
      PLATFORM_NATS_CREDENTIALS: orgsTeams['nats.credentials']!,
      PLATFORM_NATS_SYSTEM_CREDENTIALS: orgsTeams['nats.systemCredentials']!,
      PLATFORM_NATS_ACCOUNT_SEED: orgsTeams['nats.accountSeed']!,
      PLATFORM_NATS_OPERATOR_SEED: orgsTeams['nats.operatorSeed']!,
    });
    expect([...found.keys()].toSorted()).toEqual(['cli', ...services.map(({ name }) => name)].toSorted());
    expect(settingsOf(found, 'authz')['openfga.presharedKey']).toBe('given-key');
    expect(settingsOf(found, 'orgs-teams')['nats.operatorSeed']).toBe(orgsTeams['nats.operatorSeed']);
    const { hostname, username, pathname } = new URL(settingsOf(found, 'orgs-teams')['postgres.url']!);
    expect([hostname, username, pathname]).toEqual(['db.example', 'platform_orgs_teams', '/platform']);
  });

  it('need all secrets of a NATS that somebody else runs, or none', () => {
    const read = (): unknown => readGivenSettings({ ...beside, PLATFORM_NATS_OPERATOR_SEED: 'SO' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow('PLATFORM_NATS_ACCOUNT_SEED');
  });
});

describe('platform prepare', () => {
  it('writes files that only their owner may read', async () => {
    await using folder = await temporaryFolder();
    const written = join(folder.path, 'written');
    await platform(['prepare', '--folder', written], beside);
    const files = (await readdir(written, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(services.length);
    for (const { parentPath, name } of files) {
      expect([name, (await stat(join(parentPath, name))).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it('writes only the parts that are named', async () => {
    await using folder = await temporaryFolder();
    const argv = ['prepare', '--folder', join(folder.path, 'written'), '--parts', 'cli,authz'];
    expect(await platform(argv, beside)).toEqual({ parts: ['authz', 'cli'] });
    expect((await readdir(join(folder.path, 'written'))).toSorted()).toEqual(['authz', 'cli', 'state']);
  });

  it.each([
    [[], 'Either --folder or --kubernetes'],
    [['--folder', '/tmp/x', '--kubernetes', 'x'], 'Either --folder or --kubernetes'],
    [['--folder', '/tmp/x', '--owner', 'me'], 'two numbers'],
  ])('refuses %j', async (argv, why) => {
    await expect(platform(['prepare', ...argv], beside)).rejects.toMatchObject({
      code: 2, stderr: expect.stringContaining(why) as unknown,
    });
  });

  it('says so where there is no cluster around it', async () => {
    await expect(platform(['prepare', '--kubernetes', 'x'], beside)).rejects.toMatchObject({
      code: 1, stderr: expect.stringContaining('does not run in a pod') as unknown,
    });
  });
});

describe('platform migrate', () => {
  it('makes databases, roles and schemas, and finds nothing to do the second time', async () => {
    await using folder = await temporaryFolder();
    await using postgres = await ownPostgres();
    await platform(['prepare', '--folder', folder.path], { PLATFORM_POSTGRES_URL: postgres.superuserUrl });
    const environment = { PLATFORM_CONFIG_FILE: join(folder.path, 'cli/platform.yaml') };

    const first = await platform(['migrate'], environment) as { applied: Record<string, string[]> };
    const withSchema = services.filter(({ schema }) => schema === true).map(({ name }) => name);
    expect(Object.keys(first.applied)).toEqual(withSchema);
    expect(first.applied['orgs-teams']?.length).toBeGreaterThan(0);
    const applied = Object.fromEntries(withSchema.map((name) => [name, []]));
    expect(await platform(['migrate'], environment)).toEqual({ applied });

    const text = await readFile(join(folder.path, 'clusters/platform.yaml'), 'utf8');
    const { 'postgres.url': url } = JSON.parse(text) as { 'postgres.url': string };
    await using own = connect({ url, schema: 'clusters', applicationName: 'spec' });
    expect(await own.query(sql`select * from cluster`)).toEqual([]);
  });

  it('refuses to run without a database', async () => {
    await expect(platform(['migrate'], {})).rejects.toMatchObject({
      code: 1, stderr: expect.stringContaining('postgres.serviceURLs') as unknown,
    });
  });
});
