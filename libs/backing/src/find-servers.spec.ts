import { describe, expect, it } from '@jest/globals';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackingFault } from './fault.ts';
import { findBinary } from './find-binary.ts';
import { defaultCacheDirectory, findServers } from './find-servers.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { goPin, NATS, OPENFGA, POSTGRES, postgresPin } from './pins.ts';

const silent = (): void => undefined;

/** Writes an executable that prints `answer`, for example the version of another release of a server. */
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
    expect(found).toEqual({ kind: 'binary', file: join(folder('fitting'), 'nats-server'), version: '2.15.0', origin: 'machine' });
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

describe('a binary that is named', () => {
  const postgres = { PLATFORM_POSTGRES_URL: 'postgres://admin@127.0.0.1:1/postgres' };

  it('comes before those of the machine, under any file name', async () => {
    await using scratch = await scratchFolder();
    const nats = await install(scratch.path, 'nats of today', `nats-server: v${await goPin(NATS)}`);
    const openfga = await install(scratch.path, 'fga', `OpenFGA version v${await goPin(OPENFGA)}`);
    const file = await install(scratch.path, 'postgres', 'postgres (PostgreSQL) 18.1');
    await install(scratch.path, 'initdb', 'initdb (PostgreSQL) 18.1');
    const found = await findServers({
      environment: {
        PLATFORM_POSTGRES_BINARIES: scratch.path, PLATFORM_NATS_BINARY: nats, PLATFORM_OPENFGA_BINARY: openfga,
      },
      report: silent,
    });
    expect(found).toEqual({
      postgres: { kind: 'binary', file, version: '18.1', origin: 'named' },
      nats: { kind: 'binary', file: nats, version: await goPin(NATS), origin: 'named' },
      openfga: { kind: 'binary', file: openfga, version: await goPin(OPENFGA), origin: 'named' },
    });
  });

  it.each([
    [
      'of another release', 'nats-server: v2.9.3',
      'PLATFORM_NATS_BINARY cannot be used: nats-server at FILE has version 2.9.3',
    ],
    ['something else', 'hello', 'nats-server at FILE does not report its version'],
    ['nowhere', undefined, 'nats-server at FILE was not found'],
  ])('and is %s is refused with what is needed', async (_, answer, message) => {
    await using scratch = await scratchFolder();
    const file = join(scratch.path, 'nats-server');
    if (answer !== undefined) await install(scratch.path, 'nats-server', answer);
    const environment = { ...postgres, PLATFORM_NATS_BINARY: file };
    const fault = await findServers({ environment, report: silent }).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      reason: 'BINARY_UNFIT',
      message: expect.stringContaining(message.replace('FILE', file)),
      cure: expect.stringContaining('nats-server 2.15'),
    });
  });

  it('must have beside it what belongs there', async () => {
    await using scratch = await scratchFolder();
    await install(scratch.path, 'postgres', 'postgres (PostgreSQL) 18.1');
    const found = findServers({ environment: { PLATFORM_POSTGRES_BINARIES: scratch.path }, report: silent });
    await expect(found).rejects.toMatchObject({ reason: 'BINARY_UNFIT', cure: expect.stringContaining('initdb') });
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

  it('may be of a cluster, with its secrets in the environment', async () => {
    const found = await findServers({
      environment: {
        PLATFORM_POSTGRES_URL: 'postgres://admin@db.example/postgres',
        PLATFORM_NATS_URL: 'nats://one.example:4222,nats://two.example:4222',
        PLATFORM_NATS_CREDENTIALS: '-----BEGIN NATS USER JWT-----',
        PLATFORM_NATS_SYSTEM_CREDENTIALS: '-----BEGIN NATS USER JWT-----',
        PLATFORM_NATS_ACCOUNT_SEED: 'SAexample',
        PLATFORM_NATS_OPERATOR_SEED: 'SOexample',
        PLATFORM_OPENFGA_URL: 'https://fga.example/',
        ...key,
      },
      report: silent,
    });
    expect(found.nats).toMatchObject({
      access: { url: 'nats://one.example:4222,nats://two.example:4222', accountSeed: 'SAexample' },
    });
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
    expect((fault as BackingFault).cure).toContain('PLATFORM_NATS_BINARY');
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
