import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@platform/testing';
import type { Docker } from './docker.ts';

const run = promisify(execFile);

/** The files of a release in `{folder}`. */
export interface MadeRelease {
  readonly version: string;
  readonly folder: string;
}

export interface Releases {
  /** This version. */
  readonly now: MadeRelease;
  /** A later version, with a migration and an addition to the model. */
  readonly next: MadeRelease;
  /** Checksums of files that are different when this version is made again, by the name of the file. */
  readonly notReproduced: readonly string[];
}

/** Variable with a folder that keeps releases as `platform-VERSION`. Releases that it already contains are not made. */
const keptVariable = 'PLATFORM_PROOF_RELEASES';

/**
 * Makes two releases from clones of this commit with the documented command. Files that are not committed are not part
 * of them.
 * @param folder for the clones and the releases
 * @param again whether to make this version twice, the second time from scratch
 */
export async function makeReleases(
  docker: Docker, folder: string, again: boolean, report: (line: string) => void,
): Promise<Releases> {
  const into = process.env[keptVariable] ?? folder;
  const { version } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string };
  const [now, next] = [version, nextOf(version)].map((one) => ({ version: one, folder: join(into, `platform-${one}`) }));
  const tree = join(folder, 'clone');
  await clone(repositoryRoot, tree);
  const make = async (from: string, release: MadeRelease): Promise<void> => {
    if (existsSync(release.folder)) return report(`${release.folder} is taken as it is`);
    const begun = performance.now();
    await docker.with('bash', '-c', releaseScript, 'bash', from, release.version, release.folder, path(), homedir());
    report(`made ${release.version} in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  };
  await make(tree, now!);
  const notReproduced = again ? await differences(now!, await makeAgain(docker, tree, make, now!)) : [];
  await commitNext(tree, next!.version);
  await make(tree, next!);
  return { now: now!, next: next!, notReproduced };
}

/**
 * Removes the variables with which npm describes this repository, so that they do not reach the npm of the clone. HOME
 * is the user's, so settings and caches of npm and Go are the user's.
 */
const releaseScript = `
  set -e
  unset npm_config_local_prefix INIT_CWD
  export PATH="$4" HOME="$5"
  cd "$1"
  exec npm run release -- "$2" --into "$3"`;

/** Prefers Debian's Docker, as `openDaemon` does. Go may be in any folder of PATH. */
function path(): string {
  return `/usr/sbin:/usr/bin:/sbin:/bin:${process.env['PATH']}`;
}

/** Makes the same commit again, in another folder and without the Docker layers of the first time. */
async function makeAgain(
  docker: Docker, tree: string, make: (from: string, release: MadeRelease) => Promise<void>, { version }: MadeRelease,
): Promise<MadeRelease> {
  const another = `${tree}-another`;
  await clone(tree, another);
  await docker.run('builder', 'prune', '--all', '--force');
  const release = { version, folder: `${another}-release` };
  await make(another, release);
  return release;
}

async function differences(one: MadeRelease, other: MadeRelease): Promise<string[]> {
  const [first, second] = await Promise.all([one, other].map(async ({ folder }) => {
    return new Set((await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n'));
  }));
  return [...first!.symmetricDifference(second!)].map((line) => line.replace(/^\S+ +/, ''));
}

async function clone(from: string, to: string): Promise<void> {
  await run('git', ['clone', '--quiet', from, to]);
}

/** `2026.11.0` → `2026.11.1` */
function nextOf(version: string): string {
  return version.replace(/\d+$/, (count) => String(Number(count) + 1));
}

/** Commits what docs/releasing.md asks for, a migration and an addition to the model. */
async function commitNext(tree: string, version: string): Promise<void> {
  const change = async (file: string, from: RegExp, to: string): Promise<void> => {
    const path = join(tree, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
  };
  await change('package.json', /"version": ".*"/, `"version": "${version}"`);
  await change('CHANGELOG.md', /^## /m, `## ${version}\nThe next version.\n\n## `);
  for (const chart of ['platform', 'cluster-agent']) {
    await change(`deploy/charts/${chart}/Chart.yaml`, /^(version|appVersion): .*$/gm, `$1: ${version}`);
  }
  const added = join(import.meta.dirname, '../faults/next-version');
  const migration = '20991231235959-next-version.sql';
  await copyFile(join(added, migration), join(tree, 'apps/orgs-teams/migrations', migration));
  await appendFile(join(tree, 'apps/authz/model/platform.fga'), await readFile(join(added, 'addition.fga')));
  const author = ['-c', 'user.name=proof', '-c', 'user.email=proof@example.org'];
  await run('git', ['add', '--all'], { cwd: tree });
  await run('git', [...author, 'commit', '--quiet', '--message', `Release ${version}`], { cwd: tree });
}
