import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultCacheDirectory, findServers } from '@platform/backing';
import { root } from '../checks/run-command.ts';
import { command, ReleaseFault } from './command.ts';
import { finishLayout, partialName } from './oci-layout.ts';
import { partsOf, servers } from './parts.ts';
import { type Release, workFolder } from './release.ts';

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
 * Builds an empty image, because a `docker` without a daemon, or without its plugin buildx, would fail only after
 * minutes of work. @returns the first line of what docker answers if it cannot build
 */
function refusedByDocker(environment: NodeJS.ProcessEnv): string | undefined {
  const { status, stderr } = spawnSync('docker', ['build', '--quiet', '--output', 'type=tar,dest=-', '-'], {
    input: 'FROM scratch\nLABEL probe=1\n', encoding: 'utf8', timeout: 30_000,
    env: { ...environment, DOCKER_BUILDKIT: '1' },
  });
  return status === 0 ? undefined : stderr.trim().split('\n')[0] || 'nothing in 30 s';
}

/**
 * Builds all images and writes them as one OCI layout, `images/`, each with its name, and the components of each as
 * `sbom/NAME.cdx.json`. @throws ReleaseFault
 */
export async function makeImages(release: Release): Promise<Digests> {
  const base = `platform-release/base:${release.epoch}`;
  script(release, 'base.mjs', base);
  const own = script(
    release, 'build.mjs', '--base', base, '--network', 'host', '--repository', repository, '--version', release.version,
    ...npmSettings(release),
  ).trim().split('\n').map((image) => image.slice(repository.length + 1, image.lastIndexOf(':')));
  await buildServers(release, base);
  const layout = join(release.folder, 'images');
  mkdirSync(join(release.folder, 'sbom'), { recursive: true });
  const names = [...own, ...servers].sort();
  for (const name of names) {
    const image = `${repository}/${name}:${release.version}`;
    command('skopeo', [
      'copy', '--quiet', '--insecure-policy', ...daemonHost(), `docker-daemon:${image}`, `oci:${layout}:${partialName(name, architecture)}`,
    ]);
    const parts = await partsOf(name, image, release);
    writeFileSync(join(release.folder, 'sbom', `${name}.cdx.json`), `${JSON.stringify(parts, undefined, 2)}\n`);
  }
  return finishLayout(layout, () => release.epoch);
}

const repository = 'platform-release';
/** The name of this machine's architecture in OCI and Go. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

function daemonHost(): string[] {
  const host = process.env['DOCKER_HOST'];
  return host === undefined ? [] : ['--src-daemon-host', host];
}

/** The scripts of deploy/images print their progress on standard error. */
function script(release: Release, name: string, ...words: readonly string[]): string {
  return build(release, process.execPath, join(root, 'deploy/images', name), ...words);
}

/** Builds all images from scratch, with the packages of Debian and npm. */
const buildMs = 60 * 60_000;

/** Runs a program that uses Docker. */
function build({ epoch }: Release, program: string, ...words: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, words, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: buildMs,
    env: { ...process.env, DOCKER_BUILDKIT: '1', SOURCE_DATE_EPOCH: String(epoch) },
  });
  if (status !== 0) throw new ReleaseFault(`The images were not built: ${error?.message ?? words.join(' ')}`);
  return stdout;
}

/**
 * Settings of npm for the build, if a private certificate authority signs the certificate of this machine's registry.
 */
function npmSettings(release: Release): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined) return [];
  const authorities = readFileSync(file, 'utf8').match(/-----BEGIN [^]*?-----END CERTIFICATE-----/g) ?? [];
  const path = join(workFolder(release, 'npm'), 'npmrc');
  writeFileSync(path, authorities.map((pem) => `ca[]=${JSON.stringify(pem)}\n`).join(''));
  return ['--npmrc', path];
}

async function buildServers(release: Release, base: string): Promise<void> {
  const context = workFolder(release, 'servers');
  // An environment without servers of this machine, so that the pinned ones are found.
  const { postgres, nats, openfga } = await findServers({
    environment: { PATH: dirname(process.execPath) }, report: () => undefined,
    cacheDirectory: defaultCacheDirectory(process.env),
  });
  if (postgres.kind !== 'binary' || nats.kind !== 'binary' || openfga.kind !== 'binary') {
    throw new Error('without settings, servers are found as programs');
  }
  cpSync(dirname(dirname(postgres.file)), join(context, 'postgres'), { recursive: true, verbatimSymlinks: true });
  copyFileSync(nats.file, join(context, 'nats-server'));
  copyFileSync(openfga.file, join(context, 'openfga'));
  copyFileSync(join(root, 'deploy/images/postgres-entrypoint.sh'), join(context, 'postgres-entrypoint.sh'));
  for (const server of servers) {
    build(
      release, 'docker', 'build', context, '--file', join(root, 'deploy/images/servers.Dockerfile'), '--target', server,
      '--network', 'host', '--tag', `${repository}/${server}:${release.version}`, '--build-arg', `BASE=${base}`,
      '--build-arg', `SOURCE_DATE_EPOCH=${release.epoch}`,
    );
  }
}
