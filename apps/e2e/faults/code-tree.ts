import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@platform/testing';

const run = promisify(execFile);

/** The code of one version of the platform, in a separate folder. */
export interface CodeTree extends AsyncDisposable {
  /** The file that starts a service of this version. */
  main(service: string): string;
}

/** Makes the next version: this code with an additional migration and an addition to the model. */
export async function nextVersion(): Promise<CodeTree> {
  const folder = await newFolder();
  const unlinked = { recursive: true, filter: (path: string) => !path.endsWith('/node_modules') };
  for (const part of ['libs', 'apps']) await cp(join(repositoryRoot, part), join(folder, part), unlinked);
  await copyFile(join(repositoryRoot, 'package.json'), join(folder, 'package.json'));
  await linkModules(folder);
  const added = new URL('next-version/', import.meta.url).pathname;
  const migration = '20991231235959-next-version.sql';
  await copyFile(join(added, migration), join(folder, 'apps/orgs-teams/migrations', migration));
  await appendFile(join(folder, 'apps/authz/model/platform.fga'), await readFile(join(added, 'addition.fga')));
  return tree(folder);
}

/**
 * Checks out the previous version: the code before the newest migration was added. Returns undefined if the history
 * does not reach that far (a shallow clone).
 */
export async function versionBefore(): Promise<CodeTree | undefined> {
  const git = async (...argv: string[]) => (await run('git', argv, { cwd: repositoryRoot })).stdout.trim();
  const commit = await git('log', '-1', '--diff-filter=A', '--format=%H^', '--', 'apps/*/migrations/*.sql')
    .then((parent) => git('rev-parse', '--verify', parent)).catch(() => undefined);
  if (commit === undefined) return undefined;
  const folder = await newFolder();
  const archive = join(folder, 'code.tar');
  await git('archive', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkModules(folder);
  await run(process.execPath, ['scripts/generate.mjs'], { cwd: folder });
  return tree(folder);
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'platform-version-'));
}

function tree(folder: string): CodeTree {
  return {
    main: (service) => join(folder, 'apps', service, 'src/main.ts'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Links outside packages to those of this repository, and our packages to those of the folder. */
async function linkModules(folder: string): Promise<void> {
  const [from, to] = [join(repositoryRoot, 'node_modules'), join(folder, 'node_modules')];
  await mkdir(join(to, '@platform'), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== '@platform' && name !== '.cache') await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, '@platform'))) {
    const target = await readlink(join(from, '@platform', name));
    if (existsSync(join(to, '@platform', target))) await symlink(target, join(to, '@platform', name));
  }
}
