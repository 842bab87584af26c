import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDirectory, goProgram } from '@platform/backing';
import { repositoryRoot } from '@platform/testing';
import type { Docker } from './docker.ts';
import { buildOwn, buildServers } from './images.ts';

/** The version pinned in `tools/compose/go.mod`. */
const version = '2.40.3';
const source = join(repositoryRoot, 'deploy/compose');
const project = 'label=com.docker.compose.project=platform';

/** A container of the project. */
export interface Container {
  readonly part: string;
  /** Identifier of its main process on this machine. */
  readonly pid: number;
  readonly startedAt: string;
  /** `healthy` or `starting`; undefined for a container without a health check. */
  readonly health: string | undefined;
}

/** A copy of `deploy/compose` with images that replace those that cannot be pulled. */
export interface Compose extends AsyncDisposable {
  readonly folder: string;
  /** Runs a shell command in that folder; returns its output. */
  shell(line: string): Promise<string>;
  /** The containers that run. */
  containers(): Promise<readonly Container[]>;
  /** Containers, volumes and networks of the project that still exist. */
  leftovers(): Promise<readonly string[]>;
}

/** Lines of the README's first block that call `docker compose`. */
export async function documentedCommands(): Promise<readonly string[]> {
  const text = await readFile(join(source, 'README.md'), 'utf8');
  return /^```sh\n([^]*?)^```$/m.exec(text)![1]!.split('\n').filter((line) => line.startsWith('docker compose '));
}

/** @param settings variables that the README names */
export async function openCompose(docker: Docker, settings: Readonly<Record<string, string>>): Promise<Compose> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-compose-'));
  const file = await readFile(join(source, 'compose.yaml'), 'utf8');
  await buildOwn(docker, folder);
  await buildServers(docker, folder, (server) => {
    return new RegExp(`\\$\\{PLATFORM_${server.toUpperCase()}_IMAGE:-([^}]+)\\}`).exec(file)![1]!;
  });
  const [own, config] = [join(folder, 'compose'), join(folder, 'docker')];
  await mkdir(own);
  await copyFile(join(source, 'compose.yaml'), join(own, 'compose.yaml'));
  await writeFile(join(own, '.env'), Object.entries(settings).map(([name, value]) => `${name}=${value}\n`).join(''));
  await mkdir(join(config, 'cli-plugins'), { recursive: true });
  await symlink(await plugin(), join(config, 'cli-plugins/docker-compose'));
  const shell = (line: string): Promise<string> => {
    return docker.with('env', '--chdir', own, `DOCKER_CONFIG=${config}`, 'sh', '-c', line);
  };
  const lines = async (...args: readonly string[]): Promise<string[]> => {
    return (await docker.run(...args, '--filter', project)).split('\n').filter((line) => line !== '');
  };
  // Remove what an interrupted run has left.
  await shell('docker compose down --volumes --remove-orphans');
  return {
    folder: own,
    shell,
    containers: async () => {
      const ids = await lines('ps', '--quiet');
      if (ids.length === 0) return [];
      const found = JSON.parse(await docker.run('inspect', ...ids)) as readonly {
        Config: { Labels: Readonly<Record<string, string>> };
        State: { Pid: number; StartedAt: string; Health?: { Status: string } };
      }[];
      return found.map(({ Config, State }) => ({
        part: Config.Labels['com.docker.compose.service']!,
        pid: State.Pid,
        startedAt: State.StartedAt,
        health: State.Health?.Status,
      }));
    },
    leftovers: async () => {
      const kinds = [['ps', '--all', '--quiet'], ['volume', 'ls', '--quiet'], ['network', 'ls', '--quiet']];
      return (await Promise.all(kinds.map((args) => lines(...args)))).flat();
    },
    [Symbol.asyncDispose]: async () => {
      await shell('docker compose down --volumes --remove-orphans');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The pinned plugin, from the cache or built now. @throws BackingFault */
async function plugin(): Promise<string> {
  const { file } = await goProgram({
    title: 'docker compose',
    executable: 'docker-compose',
    version,
    module: join(repositoryRoot, 'tools/compose/'),
    sources: ['go.mod', 'go.sum'],
    package: 'github.com/docker/compose/v2/cmd',
    variables: [`github.com/docker/compose/v2/internal.Version=v${version}`],
    otherwise: 'use a machine where Go can build it',
  }, defaultCacheDirectory(process.env), { environment: process.env, report: () => undefined });
  return file;
}
