import { describe, expect, it } from '@jest/globals';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingFault } from './fault.ts';
import { findBinary } from './find-binary.ts';
import { defaultCacheDirectory, findServers } from './find-servers.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { goPin, NATS, OPENFGA, POSTGRES, postgresPin } from './pins.ts';

const silent = (): void => undefined;

/** An executable that tells a version, as another release of the server would. */
async function install(folder: string, name: string, answer: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\necho '${answer}'\n`);
  await chmod(file, 0o755);
  return file;
}

describe('a server on the machine', () => {
  it('is taken when its series is the pinned one; others are passed over with a reason', async () => {
    // given
    await using scratch = await scratchFolder();
    const folder = (name: string): string => join(scratch.path, name);
    await install(folder('older'), 'nats-server', 'nats-server: v2.14.9');
    await install(folder('newer'), 'nats-server', 'nats-server: v3.0.0');
    await install(folder('alike'), 'nats-server', 'nats-server: v2.150.0');
    await install(folder('mute'), 'nats-server', 'no version here');
    await install(folder('fitting'), 'nats-server', 'nats-server: v2.15.0');
    const path = ['older', 'newer', 'alike', 'mute', 'absent', 'fitting'].map(folder).join(':');
    const lines: string[] = [];

    // when
    const found = await findBinary({
      server: { ...NATS, folders: [] },
      series: '2.15',
      path,
      report: (line) => lines.push(line),
    });

    // then
    expect(found).toEqual({ kind: 'binary', directory: folder('fitting'), version: '2.15.0', origin: 'machine' });
    const passedOver = ['older', 'newer', 'alike', 'mute'];
    expect(lines.map((line) => passedOver.find((name) => line.includes(folder(name))))).toEqual(passedOver);
  });

  it('is passed over without what belongs beside it', async () => {
    await using scratch = await scratchFolder();
    await install(scratch.path, 'postgres', 'postgres (PostgreSQL) 18.4 (Debian 18.4-1)');
    const server = { ...POSTGRES, folders: [] };
    const options = { server, series: '18', companions: ['initdb'], path: scratch.path, report: silent };

    await expect(findBinary(options)).resolves.toBeUndefined();
    await install(scratch.path, 'initdb', 'initdb (PostgreSQL) 18.4');
    await expect(findBinary(options)).resolves.toMatchObject({ version: '18.4' });
  });

  it('may log its version behind a date', async () => {
    await using scratch = await scratchFolder();
    const answer = '2026/11/21 17:09:19 OpenFGA version `v1.22.7` build from `abc` on `2026-01-02`';
    await install(scratch.path, 'openfga', answer);
    const options = { server: { ...OPENFGA, folders: [] }, series: '1.22', path: scratch.path, report: silent };
    await expect(findBinary(options)).resolves.toMatchObject({ version: '1.22.7' });
  });
});

describe('an address', () => {
  const key = { PLATFORM_OPENFGA_PRESHARED_KEY: 'key' };

  it('comes before everything else', async () => {
    await using scratch = await scratchFolder();
    const credentials = join(scratch.path, 'user.creds');
    const seed = join(scratch.path, 'seed');
    await writeFile(credentials, '-----BEGIN NATS USER JWT-----\n');
    const accountSeed = join(scratch.path, 'account');
    await writeFile(seed, 'SOexample\n');
    await writeFile(accountSeed, 'SAexample\n');

    const found = await findServers({
      environment: {
        PLATFORM_POSTGRES_URL: 'postgres://admin:secret@db.example:5432/postgres',
        PLATFORM_NATS_URL: 'nats://bus.example:4222',
        PLATFORM_NATS_CREDENTIALS_FILE: credentials,
        PLATFORM_NATS_SYSTEM_CREDENTIALS_FILE: credentials,
        PLATFORM_NATS_ACCOUNT_SEED_FILE: accountSeed,
        PLATFORM_NATS_OPERATOR_SEED_FILE: seed,
        PLATFORM_OPENFGA_URL: 'https://fga.example/',
        ...key,
      },
      report: silent,
    });

    expect(found.postgres).toEqual({ kind: 'address', url: 'postgres://admin:secret@db.example:5432/postgres' });
    expect(found.nats).toMatchObject({ access: { url: 'nats://bus.example:4222', operatorSeed: 'SOexample' } });
    expect(found.openfga).toEqual({ kind: 'address', access: { url: 'https://fga.example', presharedKey: 'key' } });
  });

  it.each([
    ['not a URL', { PLATFORM_POSTGRES_URL: 'db.example' }],
    ['of another kind of server', { PLATFORM_POSTGRES_URL: 'https://db.example' }],
    ['without the credentials of the bus', { PLATFORM_NATS_URL: 'nats://bus.example' }],
    ['without the key of OpenFGA', { PLATFORM_OPENFGA_URL: 'http://fga.example' }],
    ['naming no file', { PLATFORM_NATS_URL: 'nats://bus.example', PLATFORM_NATS_CREDENTIALS_FILE: '/nowhere' }],
  ])('that is %s is refused before anything is built', async (_, environment) => {
    const lines: string[] = [];
    const found = findServers({ environment, report: (line) => lines.push(line) });
    await expect(found).rejects.toMatchObject({ name: 'BackingFault', reason: 'ADDRESS_INVALID' });
    expect(lines).toEqual([]);
  });
});

describe('the pinned build', () => {
  it('needs Go: without it the fault names the program to install and the variable to set', async () => {
    await using scratch = await scratchFolder();
    const PLATFORM_POSTGRES_URL = 'postgres://admin@127.0.0.1:1/postgres';
    const environment = { PATH: '', HOME: scratch.path, PLATFORM_POSTGRES_URL };
    const fault = await findServers({ environment, report: silent }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(BackingFault);
    expect(fault).toMatchObject({ reason: 'SERVER_MISSING' });
    expect((fault as BackingFault).cure).toContain('PLATFORM_NATS_URL');
    expect((fault as BackingFault).cure).toContain('https://go.dev/dl');
  });

  it('has one pin per server', async () => {
    expect(postgresPin()).toMatch(/^18\.\d+\.\d+$/);
    await expect(goPin(NATS)).resolves.toMatch(/^2\.15\.\d+$/);
    await expect(goPin(OPENFGA)).resolves.toMatch(/^1\.22\.\d+$/);
  });

  it('is kept where the user keeps caches', () => {
    expect(defaultCacheDirectory({ XDG_CACHE_HOME: '/cache', HOME: '/home/a' })).toBe('/cache/platform');
    expect(defaultCacheDirectory({ XDG_CACHE_HOME: 'relative', HOME: '/home/a' })).toBe('/home/a/.cache/platform');
    expect(defaultCacheDirectory({ HOME: '/home/a' })).toBe('/home/a/.cache/platform');
  });
});
