import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDirectory } from '@platform/backing';
import { nodePath } from '@platform/lab';
import { repositoryRoot, until } from '@platform/testing';

const run = promisify(execFile);
const buildMs = 45 * 60_000;
/** Base image of all our images in this proof, made from Debian's packages. */
export const base = 'platform-proof/node:24-slim';

/** A Docker daemon. */
export interface Docker extends AsyncDisposable {
  /** Runs `docker` with these arguments; returns its output. */
  run(...args: readonly string[]): Promise<string>;
  /** Runs another program that calls `docker`. */
  with(program: string, ...args: readonly string[]): Promise<string>;
}

/** Programs that this machine lacks to build images; empty if it has all of them. */
export function missingForImages(): Promise<readonly string[]> {
  return missingPrograms('dockerd', 'docker', 'debootstrap');
}

/** Which of these programs this machine lacks; empty if it has all of them. */
export async function missingPrograms(...names: readonly string[]): Promise<readonly string[]> {
  const lacks = async (name: string): Promise<readonly string[]> => {
    const looking = run('sh', ['-c', `command -v ${name}`], { env: { PATH: nodePath } });
    return looking.then(() => [], () => [`the program ${name}`]);
  };
  return (await Promise.all(names.map(lacks))).flat();
}

/** Starts a separate Docker daemon with the image {@link base}. */
export async function openDocker(report: (line: string) => void): Promise<Docker> {
  const docker = await openDaemon();
  if ((await docker.run('images', '--quiet', base)) === '') {
    report(`making the base image ${base} of Debian's packages`);
    await docker.with(process.execPath, join(repositoryRoot, 'deploy/images/base.mjs'), base);
  }
  return docker;
}

/** Starts a separate Docker daemon; the cache keeps its layers. */
export async function openDaemon(): Promise<Docker> {
  const home = join(defaultCacheDirectory(process.env), 'proof-docker');
  const folder = await mkdtemp(join(tmpdir(), 'docker-'));
  await mkdir(home, { recursive: true });
  // Prefer Debian's Docker, which includes BuildKit.
  const environment = {
    ...process.env, PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${nodePath}`, HOME: folder, DOCKER_HOST: `unix://${folder}/docker.sock`,
    DOCKER_BUILDKIT: '1',
  };
  const options = { env: environment, timeout: buildMs, maxBuffer: 64 * 1024 * 1024 };
  const daemon = spawn('dockerd', [
    '--data-root', home, '--exec-root', join(folder, 'run'), '--pidfile', join(folder, 'pid'),
    // Leave the firewall rules and forwarding of this machine unchanged.
    '--host', environment.DOCKER_HOST, '--iptables=false', '--ip-masq=false', '--ip-forward=false', '--bridge=none',
  ], { env: environment, stdio: 'ignore' });
  const ended = new Promise((resolve) => daemon.once('exit', resolve));
  const docker: Docker = {
    run: async (...args) => (await run('docker', args, options)).stdout.trim(),
    with: async (program, ...args) => (await run(program, args, options)).stdout.trim(),
    [Symbol.asyncDispose]: async () => {
      daemon.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
  await until(() => docker.run('version').then(() => true), { within: 60_000, what: 'dockerd answers' });
  return docker;
}

/**
 * Settings of npm for the build, if a private certificate authority signs the certificate of this machine's registry.
 */
export async function npmSettings(folder: string): Promise<readonly string[]> {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined) return [];
  const authorities = (await readFile(file, 'utf8')).match(/-----BEGIN [^]*?-----END CERTIFICATE-----/g) ?? [];
  const path = join(folder, 'npmrc');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, authorities.map((pem) => `ca[]=${JSON.stringify(pem)}\n`).join(''));
  return ['--npmrc', path];
}
