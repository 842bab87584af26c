import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinnedServers } from '@platform/backing';
import { root } from '../checks/run-command.ts';
import { command, ReleaseFault } from './command.ts';
import { finishLayout, partialName } from './oci-layout.ts';
import { otherPackages } from './other-packages.ts';
import { type BuiltImage, partsOf, servers } from './parts.ts';
import { type Architecture, nodeNames, otherArchitectures, ownArchitecture } from './platforms.ts';
import { type Release, workFolder } from './release.ts';
import { tryImage } from './try-image.ts';

/** Digest by name of the image. */
export type Digests = Readonly<Record<string, string>>;

/** Lists what this machine lacks to make images; empty if it lacks nothing. */
export function missingForImages(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const programs = ['docker', 'debootstrap', 'skopeo', 'go'].filter((name) => {
    return spawnSync('/bin/sh', ['-c', `command -v ${name}`], { env: environment }).status !== 0;
  });
  const missing = programs.map((name) => `the program ${name}`);
  if (process.getuid?.() !== 0) missing.push('the rights of root, for debootstrap');
  if (programs.includes('docker')) return missing;
  const refusal = refusedByDocker(environment);
  return refusal === undefined ? missing : [...missing, `a Docker that builds with BuildKit (docker says: ${refusal})`];
}

/**
 * Tests whether docker can build an image. A release would otherwise fail only after minutes of work, for example
 * without a daemon or without buildx. @returns why docker cannot build; undefined if it can
 */
function refusedByDocker(environment: NodeJS.ProcessEnv): string | undefined {
  const { status, stderr } = spawnSync('docker', ['build', '--quiet', '--output', 'type=tar,dest=-', '-'], {
    input: 'FROM scratch\nLABEL probe=1\n', encoding: 'utf8', timeout: 30_000,
    env: { ...environment, DOCKER_BUILDKIT: '1' },
  });
  return status === 0 ? undefined : stderr.trim().split('\n')[0] || 'nothing in 30 s';
}

/**
 * Builds and tries the images. Writes them under their names to one OCI layout (`images/`). Writes the components of
 * each image to `sbom/NAME-ARCHITECTURE.cdx.json`. @throws ReleaseFault
 */
export async function makeImages(release: Release): Promise<Digests> {
  const layout = join(release.folder, 'images');
  mkdirSync(join(release.folder, 'sbom'), { recursive: true });
  const base = makeBase(release, here);
  await addImages(release, base, base, layout);
  for (const architecture of otherImages(release)) {
    await addImages(release, makeBase(release, elsewhere(release, architecture)), base, layout);
  }
  return finishLayout(layout, (name) => servers.includes(name) ? unchanging : release.epoch);
}

/** The other architectures for which images are made. */
export function otherImages({ missing, missingForOthers }: Release): readonly Architecture[] {
  return missing.length + missingForOthers.length === 0 ? otherArchitectures : [];
}

const repository = 'platform-release';
/**
 * Creation time of the base image and of the images of servers, in seconds. It is constant, so these images keep their
 * digests until their content changes. An upgrade then does not restart unchanged servers.
 */
const unchanging = 0;

/** The kind of machine that images are for. */
interface Target {
  readonly architecture: Architecture;
  /** A Node of this architecture, for the base. */
  readonly node: string;
  readonly nodeVersion: string;
  /** A file beside the `node_modules` that has PostgreSQL for this architecture. Default: a file of libs/backing. */
  readonly installedBeside?: string;
}

interface Base extends Target {
  /** Name of the base image in Docker. */
  readonly tag: string;
}

const here: Target = { architecture: ownArchitecture, node: process.execPath, nodeVersion: process.versions.node };

function elsewhere(release: Release, architecture: Architecture): Target {
  const folder = otherPackages(release, architecture);
  const node = join(folder, 'node_modules', `node-linux-${nodeNames[architecture]}`);
  const { version } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8')) as { readonly version: string };
  const installedBeside = join(folder, 'package.json');
  return { architecture, node: join(node, 'bin/node'), nodeVersion: version, installedBeside };
}

function makeBase(release: Release, target: Target): Base {
  const tag = `${repository}/${target.architecture}/base`;
  const words = [tag, '--architecture', target.architecture, '--node', target.node];
  script({ ...release, epoch: unchanging }, 'base.mjs', ...words);
  return { ...target, tag };
}

/** Adds the images for one architecture to the layout. @param own base for this machine, on which the build runs */
async function addImages(release: Release, base: Base, own: Base, layout: string): Promise<void> {
  const { architecture, nodeVersion } = base;
  const folder = `${repository}/${architecture}`;
  const built = script(
    release, 'build.mjs', '--base', base.tag, '--build-base', own.tag, '--platform', `linux/${architecture}`,
    '--network', 'host', '--repository', folder, '--version', release.version, ...npmSettings(release),
  ).trim().split('\n').map((image) => image.slice(folder.length + 1, image.lastIndexOf(':')));
  await buildServers(release, base, folder);
  for (const name of [...built, ...servers].sort()) {
    const image: BuiltImage = { name, reference: `${folder}/${name}:${release.version}`, architecture, nodeVersion };
    tryImage(image, release.version);
    command('skopeo', [
      'copy', '--quiet', '--insecure-policy', ...daemonHost(), `docker-daemon:${image.reference}`,
      `oci:${layout}:${partialName(name, architecture)}`,
    ]);
    const parts = `${JSON.stringify(await partsOf(image, release), undefined, 2)}\n`;
    writeFileSync(join(release.folder, 'sbom', `${name}-${architecture}.cdx.json`), parts);
  }
}

function daemonHost(): string[] {
  const host = process.env['DOCKER_HOST'];
  return host === undefined ? [] : ['--src-daemon-host', host];
}

/** Runs a script of deploy/images and returns its standard output. */
function script(release: Release, name: string, ...words: readonly string[]): string {
  return build(release, process.execPath, join(root, 'deploy/images', name), ...words);
}

/** Time limit of one build, in milliseconds. A build may have to download the packages of Debian and npm. */
const buildMs = 60 * 60_000;

/** Runs a program that builds with Docker, and returns its standard output. @throws ReleaseFault */
function build({ epoch }: Release, program: string, ...words: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, words, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: buildMs,
    env: { ...process.env, DOCKER_BUILDKIT: '1', SOURCE_DATE_EPOCH: String(epoch) },
  });
  if (status !== 0) throw new ReleaseFault(`Building the images failed: ${error?.message ?? words.join(' ')}`);
  return stdout;
}

/** Options that let npm in the build trust the authorities of `NODE_EXTRA_CA_CERTS`. Empty if it is not set. */
function npmSettings(release: Release): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined) return [];
  const authorities = readFileSync(file, 'utf8').match(/-----BEGIN [^]*?-----END CERTIFICATE-----/g) ?? [];
  const path = join(workFolder(release, 'npm'), 'npmrc');
  writeFileSync(path, authorities.map((pem) => `ca[]=${JSON.stringify(pem)}\n`).join(''));
  return ['--npmrc', path];
}

async function buildServers(release: Release, base: Base, folder: string): Promise<void> {
  const { architecture, installedBeside } = base;
  const context = workFolder(release, `servers-${architecture}`);
  const { postgres, nats, openfga } = await pinnedServers({
    environment: process.env, report: (line) => process.stderr.write(`${line}\n`),
    ...(installedBeside === undefined ? {} : { from: { architecture: nodeNames[architecture], installedBeside } }),
  });
  cpSync(dirname(dirname(postgres)), join(context, 'postgres'), { recursive: true, verbatimSymlinks: true });
  copyFileSync(nats, join(context, 'nats-server'));
  copyFileSync(openfga, join(context, 'openfga'));
  copyFileSync(join(root, 'deploy/images/postgres-entrypoint.sh'), join(context, 'postgres-entrypoint.sh'));
  for (const server of servers) {
    build(
      { ...release, epoch: unchanging }, 'docker', 'build', context,
      '--file', join(root, 'deploy/images/servers.Dockerfile'), '--target', server,
      '--platform', `linux/${architecture}`, '--network', 'host', '--tag', `${folder}/${server}:${release.version}`,
      '--build-arg', `BASE=${base.tag}`, '--build-arg', `SOURCE_DATE_EPOCH=${unchanging}`,
    );
  }
}
