import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { archiveFiles, buildArchive } from './build-archive.ts';
import type { ArchiveValues } from './values.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platform-archive-'));
afterAll(() => rm(folder, { recursive: true }));

const release = { chart: 'oci://charts.example.org/platform', namespace: 'platform' };
const hostile = [
  `it's`, '"quoted"', '$(touch owned)', '`touch owned`', '$HOME', 'a\nVALUES\ntouch owned\n', '\\', `'; touch owned; '`,
  '# no', '{{ .Values.x }}', '- item', 'key: value', '&anchor', '*alias', '!!js/function x', '\u2028', '\u0085', '%', ' space ',
  'true', '1e3', '~', '\u007f', '\ufeff', '😀',
];

const valuesWith = (text: string): ArchiveValues => ({
  baseUrl: 'https://platform.example.org', marketplace: 'ProviderA', installerId: '0123456789abcdefghij',
  installerName: 'bakery', owner: { id: 21, name: 'acme' }, clusterId: '1b671a64-40d5-491e-99b0-da01ff1f3341',
  providerAAccountID: text, adminUsername: 'admin', adminPassword: text, domainWhiteList: ['example.org'],
  options: { [text]: text, nested: [{ [text]: [text, 1, true, null] }] },
});

async function unpacked(values: ArchiveValues, name: string): Promise<string> {
  const place = join(folder, name);
  await run('mkdir', [place]);
  await writeFile(join(place, 'archive.tar.gz'), await buildArchive(archiveFiles(values, release)));
  await run('tar', ['-xzf', 'archive.tar.gz'], { cwd: place });
  await rm(join(place, 'archive.tar.gz'));
  return place;
}

describe('the archive of an installer (open-points 11.2, 11.8)', () => {
  it('has four files, whose checksums are right', async () => {
    const place = await unpacked(valuesWith('x'), 'files');
    expect((await readdir(place)).sort()).toEqual(['README.md', 'SHA256SUMS', 'install.sh', 'values.yaml']);
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: place });
    expect((await stat(join(place, 'install.sh'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(place, 'values.yaml'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(place, 'README.md'), 'utf8')).toContain('Installer bakery');
  });

  it('has the same bytes for the same values, in any order of their members, and other bytes for others', async () => {
    const [one, other] = [{ b: 1, a: { d: 2, c: 3 } }, { a: { c: 3, d: 2 }, b: 1 }];
    const bytesOf = async (options: object) =>
      (await buildArchive(archiveFiles({ ...valuesWith('x'), options: { ...options } }, release))).toString('hex');
    expect(await bytesOf(one)).toBe(await bytesOf(other));
    expect(await bytesOf(one)).not.toBe(await bytesOf({}));
  });

  it.each(hostile.map((text, index) => [text, index] as const))('holds any text as it is: %j', async (text, index) => {
    const place = await unpacked(valuesWith(text), `hostile-${index}`);
    const helm = '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done >args\ncp values.yaml seen\n';
    await writeFile(join(place, 'helm'), helm, { mode: 0o755 });
    await run('./install.sh', ['--dry-run'], { cwd: place, env: { PATH: `${place}:${process.env['PATH']}` } });
    expect((await readFile(join(place, 'args'), 'utf8')).split('\0').slice(0, -1)).toEqual([
      'upgrade', '--install', 'platform', release.chart, '--namespace', 'platform', '--create-namespace',
      '--values', 'values.yaml', '--dry-run',
    ]);
    const { providerAAccountID, adminUsername, adminPassword, domainWhiteList, options } = valuesWith(text);
    expect(parse(await readFile(join(place, 'seen'), 'utf8'))).toEqual({
      platform: {
        baseURL: 'https://platform.example.org', marketplace: 'ProviderA', installerId: '0123456789abcdefghij',
        ownerId: 21, owner: 'acme', clusterId: '1b671a64-40d5-491e-99b0-da01ff1f3341',
      },
      providerAAccountID, admin: { username: adminUsername, password: adminPassword }, domainWhiteList, options,
    });
    expect(await readdir(place)).not.toContain('owned');
  });

  it('installs nothing when a file was altered', async () => {
    const place = await unpacked(valuesWith('x'), 'altered');
    await writeFile(join(place, 'helm'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    await writeFile(join(place, 'values.yaml'), 'other: true\n');
    await expect(run('./install.sh', { cwd: place, env: { PATH: `${place}:${process.env['PATH']}` } })).rejects.toThrow();
    expect(await readdir(place)).not.toContain('ran');
  });

  it('has a script that bash and ShellCheck accept', async () => {
    const place = await unpacked(valuesWith('x'), 'script');
    await run('bash', ['-n', join(place, 'install.sh')]);
    if (await run('shellcheck', ['--version']).then(() => false, () => true)) {
      return console.log('ShellCheck is not installed: the script was checked by bash alone');
    }
    await run('shellcheck', ['--severity=style', join(place, 'install.sh')]);
  });
});
