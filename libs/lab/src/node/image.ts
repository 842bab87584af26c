import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const tarMs = 60_000;

/** A container image that contains only the given files. */
export interface FileImage {
  readonly name: string;
  /** Path of each file on this machine, and its name in the root directory of the image. */
  readonly files: readonly (readonly [from: string, name: string])[];
  readonly entrypoint: readonly string[];
}

/** Writes an image as an archive that `ctr images import` reads. */
export async function writeImage(archive: string, { name, files, entrypoint }: FileImage): Promise<void> {
  const folder = await mkdtemp(`${archive}-`);
  try {
    const root = join(folder, 'root');
    await mkdir(root);
    for (const [from, to] of files) {
      await copyFile(from, join(root, to));
      await chmod(join(root, to), 0o755);
    }
    const layer = join(folder, 'layer.tar');
    await tar(layer, root, '.');
    const digest = createHash('sha256').update(await readFile(layer)).digest('hex');
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    await writeFile(join(folder, 'config.json'), JSON.stringify({
      architecture, os: 'linux', config: { Entrypoint: entrypoint },
      rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
    }));
    const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await tar(archive, folder, 'manifest.json', 'config.json', 'layer.tar');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tar(archive: string, folder: string, ...names: readonly string[]): Promise<void> {
  await run('tar', ['--owner=0', '--group=0', '-C', folder, '-cf', archive, ...names], { timeout: tarMs });
}
