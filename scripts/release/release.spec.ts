import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { root } from '../checks/run-command.ts';
import type { Release } from './release.ts';

const run = promisify(execFile);
const space = mkdtempSync(join(tmpdir(), 'platform-release-'));
const version = '2031.2.3';
const made = releaseIn('one');
/** A folder outside the clone, in which a user installs the packages. */
const stranger = join(space, 'stranger');
/** A release builds the site of the documents, which takes a minute beside other builds. */
const makeMs = 240_000;

beforeAll(async () => {
  await make(made);
  mkdirSync(stranger);
  writeFileSync(join(stranger, 'package.json'), '{"private": true}');
  await run('npm', [
    'install', '--offline', '--no-audit', '--no-fund',
    join(made.folder, `npm/platform-client-${version}.tgz`), join(made.folder, `npm/platform-cli-${version}.tgz`),
  ], { cwd: stranger, env: { ...process.env, npm_config_cache: join(space, 'cache') } });
}, makeMs);
afterAll(() => rmSync(space, { recursive: true, force: true }));

describe('a release', () => {
  it('has the same bytes when it is made again, and says what it lacks without Docker', async () => {
    const again = releaseIn('two');
    const said = await make(again);
    expect(sums(again)).toBe(sums(made));
    for (const { [0]: sum, groups } of sums(made).matchAll(/^[0-9a-f]{64} {2}(?<file>.+)$/gm)) {
      const digest = createHash('sha256').update(readFileSync(join(made.folder, groups!['file']!))).digest('hex');
      expect(sum).toContain(digest);
    }
    expect(sums(made).trim().split('\n')).toHaveLength(8);
    expect(said).toContain('Left out: images/, sbom/, and the digests of images in the charts. This machine lacks the program docker.\n');
  }, makeMs);

  it('has checksums that a key signs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = join(space, 'key.pem');
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const signed = { ...releaseIn('signed'), key };
    await make(signed);
    const signature = readFileSync(join(signed.folder, 'SHA256SUMS.sig'));
    expect(verify(null, readFileSync(join(signed.folder, 'SHA256SUMS')), publicKey, signature)).toBe(true);
  }, makeMs);

  it('is not there when a part of it fails', async () => {
    const key = join(space, 'no-key.pem');
    writeFileSync(key, 'no key');
    const broken = { ...releaseIn('broken'), key };
    await expect(make(broken)).rejects.toMatchObject({ stderr: expect.stringContaining('Cannot sign with the key') });
    expect(existsSync(broken.folder)).toBe(false);
  }, makeMs);
});

it('the tutorial of a release names files that it has', () => {
  const page = readFileSync(join(root, 'docs/tutorials/release.md'), 'utf8');
  const named = [...page.matchAll(/\b(?:charts|npm)\/[a-z-]+\$VERSION\.tgz/g)].map(([file]) => file.replace('$VERSION', version));
  expect(named.toSorted()).toEqual([
    `charts/cluster-agent-${version}.tgz`, `charts/platform-${version}.tgz`, `npm/platform-cli-${version}.tgz`,
  ]);
  for (const file of [...named, 'SHA256SUMS']) expect(existsSync(join(made.folder, file))).toBe(true);
});

describe('@platform/client, installed in an empty folder', () => {
  it.each([
    ['NodeNext', ['--module', 'nodenext']],
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('has types for %s', async (_, resolution) => {
    const file = join(stranger, 'types.mts');
    writeFileSync(file, `
      import { createClient, type Team } from '@platform/client';
      const client = createClient({ baseUrl: 'https://platform.example.org' });
      export const team: Team = await client.call('getTeam', { parameters: { teamid: 1 } });
      for await (const { name } of client.walk('listTeams', { parameters: { orgname: 'acme' } })) name satisfies string;
      // @ts-expect-error There is no such operation.
      await client.call('grantEverything');
    `);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--noEmit', '--ignoreConfig', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    await run(process.execPath, [compiler, ...strict, ...resolution, file], { cwd: stranger });
  });

  it.each(['@platform/client', '@platform/client/browser'])('loads %s without TypeScript', async (name) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--no-strip-types', '-e', `
      const { createClient } = await import('${name}');
      console.log(createClient({ baseUrl: 'https://platform.example.org' }).address('getTeam', { teamid: 7 }));
    `], { cwd: stranger });
    expect(stdout).toBe('https://platform.example.org/api/v1/teams/7\n');
  });
});

describe('@platform/cli, installed in an empty folder', () => {
  const platform = (...words: string[]) => run(process.execPath, [
    '--no-strip-types', join(stranger, 'node_modules/@platform/cli/bin/platform.mjs'), ...words,
  ], { cwd: stranger, env: { HOME: stranger, PLATFORM_TOKEN: 'a-credential' } });

  it('says its version', async () => {
    expect((await platform('--version')).stdout).toBe(`v${version}\n`);
  });

  it('lists the operations', async () => {
    expect((await platform('api')).stdout).toMatch(/^listTeams +GET +\/api\/v1\/orgs\/\{orgname\}\/teams$/m);
  });

  it('calls over gRPC', async () => {
    const refused = platform('admin', 'user', 'list', '--server', '127.0.0.1:1');
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('UNAVAILABLE') });
  });

  it('completes, and has manual pages', async () => {
    const { stdout } = await platform('complete-words', '--', 'api', 'getTeamM');
    expect(stdout).toMatch(/^getTeamMember\t/);
    const installed = join(stranger, 'node_modules/@platform/cli');
    const { man } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { man: string[] };
    expect(man).toContain('./man/platform-api.1');
    for (const page of man) expect(readFileSync(join(installed, page), 'utf8')).toMatch(/^\.Dt PLATFORM/m);
  });

  it('needs no other package', () => {
    const installed = join(stranger, 'node_modules/@platform/cli');
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of ['commander', '@grpc/grpc-js', 'yaml']) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});

describe('the protos', () => {
  it('are a module of buf, with packages of Go', async () => {
    const files = unzipSync(readFileSync(join(made.folder, `platform-protos-${version}.zip`)));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(space, name, '..'), { recursive: true });
      writeFileSync(join(space, name), content);
    }
    const folder = join(space, `platform-protos-${version}`);
    await run(process.execPath, [join(root, 'node_modules/@bufbuild/buf/bin/buf'), 'build'], { cwd: folder });
    const teams = readFileSync(join(folder, 'controlplane/orgs/v1/team.proto'), 'utf8');
    expect(teams).toMatch(/^option go_package = "[a-z./]+\/controlplane\/orgs\/v1;orgsv1";$/m);
    expect(existsSync(join(folder, 'google/api/annotations.proto'))).toBe(true);
  });
});

function releaseIn(name: string): Release {
  return { version, epoch: 1_900_000_000, folder: join(space, name), work: join(space, `${name}.work`), key: undefined, missing: ['the program docker'], missingForOthers: [] };
}

/**
 * Makes a release. Runs in a separate process, because native packages do not accept objects from jest's contexts.
 * @returns the text on standard error
 */
async function make(release: Release): Promise<string> {
  const script = `import { makeRelease } from ${JSON.stringify(join(import.meta.dirname, 'make-release.ts'))};
    await makeRelease(${JSON.stringify(release)});`;
  return (await run(process.execPath, ['--input-type=module', '-e', script])).stderr;
}

function sums({ folder }: Release): string {
  return readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
}
