import { appendFile, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultCacheDirectory, findServers } from '@platform/backing';
import { repositoryRoot } from '@platform/testing';
import { base, type Docker, npmSettings } from './docker.ts';

const deployed = join(repositoryRoot, 'deploy/images');

/** Images of this version, of the next version, and of the servers in the chart, in one archive. */
export interface Images extends AsyncDisposable {
  readonly archive: string;
  readonly version: string;
  readonly next: string;
  /** Size in MiB of each service's image, without the layers of the base. */
  readonly mebibytes: ReadonlyMap<string, number>;
  /** Names of images that a second build from scratch did not reproduce. */
  readonly notReproduced: readonly string[];
}

/** @param again whether to build all images a second time, from scratch */
export async function buildImages(docker: Docker, again: boolean, report: (line: string) => void): Promise<Images> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-images-'));
  const { version } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string };
  const next = `${version}-next`;
  const own = await buildOwn(docker, folder);
  report(`built ${own.length} images`);
  const layers = await layersOf(docker, own);
  let notReproduced: string[] = [];
  if (again) {
    await docker.run('builder', 'prune', '--all', '--force');
    await buildOwn(docker, folder);
    const rebuilt = await layersOf(docker, own);
    notReproduced = own.filter((image) => layers.get(image)!.join() !== rebuilt.get(image)!.join());
    report('built them again from nothing');
  }
  const values = await readFile(join(repositoryRoot, 'deploy/charts/platform/values.yaml'), 'utf8');
  const servers = await buildServers(docker, folder, (server) => {
    return new RegExp(`^  image: ((?:[a-z]+/)?${server}:\\S+)$`, 'm').exec(values)![1]!;
  });
  const later = await buildNext(docker, folder, own, next);
  const archive = join(folder, 'images.tar');
  await docker.run('save', '--output', archive, ...own, ...servers, ...later);
  const baseSize = await sizeOf(docker, base);
  const sizes = await Promise.all(own.map(async (image) => {
    const name = image.slice(image.indexOf('/') + 1, image.indexOf(':'));
    return [name, (await sizeOf(docker, image) - baseSize) / 2 ** 20] as const;
  }));
  return {
    archive, version, next, notReproduced, mebibytes: new Map(sizes),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Builds the images of this version; returns their names. */
export async function buildOwn(docker: Docker, folder: string): Promise<string[]> {
  const build = join(repositoryRoot, 'deploy/images/build.mjs');
  const settings = await npmSettings(folder);
  const said = await docker.with(process.execPath, build, '--base', base, '--network', 'host', ...settings);
  return said.split('\n');
}

async function layersOf(docker: Docker, images: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = JSON.parse(await docker.run('inspect', ...images)) as { RootFS: { Layers: string[] } }[];
  return new Map(images.map((image, index) => [image, found[index]!.RootFS.Layers]));
}

async function sizeOf(docker: Docker, image: string): Promise<number> {
  return Number(await docker.run('inspect', '--format', '{{.Size}}', image));
}

/**
 * Builds stand-ins for the public images of PostgreSQL, NATS and OpenFGA; returns their names.
 * @param imageOf the name of the image that a server has
 */
export async function buildServers(
  docker: Docker, folder: string, imageOf: (server: string) => string,
): Promise<string[]> {
  const context = join(folder, 'servers');
  await mkdir(context);
  await copyFile(join(deployed, 'postgres-entrypoint.sh'), join(context, 'postgres-entrypoint.sh'));
  // An environment without servers of this machine, so that the pinned ones are found.
  const environment = { PATH: dirname(process.execPath) };
  const { postgres, nats, openfga } = await findServers({
    environment, report: () => undefined, cacheDirectory: defaultCacheDirectory(process.env),
  });
  if (postgres.kind !== 'binary' || nats.kind !== 'binary' || openfga.kind !== 'binary') {
    throw new Error('the pinned servers are not there');
  }
  await cp(dirname(dirname(postgres.file)), join(context, 'postgres'), { recursive: true, verbatimSymlinks: true });
  await copyFile(nats.file, join(context, 'nats-server'));
  await copyFile(openfga.file, join(context, 'openfga'));
  const images = ['postgres', 'nats', 'openfga'].map((server) => [server, imageOf(server)] as const);
  for (const [target, image] of images) {
    const options = ['--build-arg', `BASE=${base}`, '--network', 'host', '--file', join(deployed, 'servers.Dockerfile')];
    await docker.run('build', context, '--target', target, '--tag', image, ...options);
  }
  return images.map(([, image]) => image);
}

/**
 * Builds the next version: a new migration for services with a schema and a new model for authz; the rest is unchanged.
 */
async function buildNext(docker: Docker, folder: string, images: readonly string[], next: string): Promise<string[]> {
  const context = join(folder, 'next');
  await cp(join(import.meta.dirname, 'stand-ins'), context, { recursive: true });
  const addition = join(import.meta.dirname, '../faults/next-version');
  await copyFile(join(addition, '20991231235959-next-version.sql'), join(context, 'next-version.sql'));
  await copyFile(join(repositoryRoot, 'apps/authz/model/platform.fga'), join(context, 'platform.fga'));
  await appendFile(join(context, 'platform.fga'), await readFile(join(addition, 'addition.fga')));
  const targets: Readonly<Record<string, string>> = { 'orgs-teams': 'migrations', 'authz': 'model', 'cli': 'both' };
  const later = images.map((image) => image.replace(/:.*/, `:${next}`));
  for (const [index, image] of images.entries()) {
    const name = image.slice(image.indexOf('/') + 1, image.indexOf(':'));
    await docker.run(
      'build', context, '--file', join(context, 'next.Dockerfile'), '--target', targets[name] ?? 'plain',
      '--tag', later[index]!, '--build-arg', `OF=${image}`,
    );
  }
  return later;
}
