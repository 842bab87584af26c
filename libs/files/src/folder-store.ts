import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { type Deadline, Unavailable, within } from '@platform/service';
import { checkKey, type FileStore } from './file-store.ts';

/** Folder for unfinished files. A key cannot begin with a dot, so no key leads into this folder. */
const incoming = '.incoming';
/** Minimum age of the unfinished files that `openFolderStore` removes, in milliseconds. Usually, a crash left them. */
const abandonedAfter = 60 * 60 * 1000;

/**
 * Opens a store in the folder `root`, and creates the folder if it does not exist. Replicas on several machines must
 * share this folder.
 * @throws Unavailable
 */
export async function openFolderStore(root: string): Promise<FileStore> {
  await serving(async () => {
    await makeFolder(join(root, incoming));
    await removeOlder(join(root, incoming), Date.now() - abandonedAfter);
  });

  async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const draft = join(root, incoming, randomUUID());
    try {
      const size = await writeDurably(draft, content);
      await serving(() => place(draft, path));
      return size;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };
  const bounded = async <Result>(key: string, deadline: Deadline, act: (path: string) => Promise<Result>) => {
    const path = pathOf(key);
    return within(deadline, serving(() => act(path)), 'the file store');
  };

  return {
    put: async (key, content, deadline) => {
      await within(deadline, write(pathOf(key), whole(content)), 'the file store');
    },
    get: (key, deadline) => bounded(key, deadline, (path) => readFile(path).catch(missing)),
    write: async (key, content, deadline) => within(deadline, write(pathOf(key), content), 'the file store'),
    read: (key, deadline) => bounded(key, deadline, async (path) => {
      const file = await open(path, 'r').catch(missing);
      if (file === undefined) return undefined;
      const { size } = await file.stat();
      return { size, content: addAbortSignal(deadline.signal, file.createReadStream()) };
    }),
    move: async (from, to, deadline) => {
      checkKey(from);
      const target = pathOf(to);
      return bounded(from, deadline, async (source) => {
        if ((await stat(source).catch(missing)) === undefined) return (await stat(target).catch(missing)) !== undefined;
        await place(source, target);
        return true;
      });
    },
    remove: (key, deadline) => bounded(key, deadline, (path) => rm(path, { force: true })),
    removeOlder: (folder, before, deadline) => bounded(folder, deadline, (path) => removeOlder(path, before.getTime())),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  await using file = await serving(() => open(path, 'wx', 0o600));
  let size = 0;
  for await (const bytes of content) {
    await serving(() => file.writeFile(bytes));
    size += bytes.length;
  }
  await serving(() => file.sync());
  return size;
}

async function place(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await rename(from, to);
  // Sync the folder. Otherwise, a power failure may undo the rename.
  await using folder = await open(dirname(to), 'r');
  await folder.sync();
}

/** Creates a folder and its missing parents. Avoids the option `recursive` of mkdir, which may hang below `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  const ifExists = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EEXIST') throw error;
  };
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) return ifExists(error);
    await makeFolder(dirname(path));
    await make().catch(ifExists);
  });
}

async function removeOlder(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of (await readdir(folder).catch(missing)) ?? []) {
    const path = join(folder, name);
    const found = await stat(path).catch(missing);
    if (found === undefined || !found.isFile() || found.mtimeMs >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

async function serving<Result>(act: () => Promise<Result>): Promise<Result> {
  return act().catch((cause: unknown) => {
    throw new Unavailable('the folder of files cannot be used', { cause });
  });
}
