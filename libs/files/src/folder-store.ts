import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Deadline, Unavailable, within } from '@platform/service';
import { checkKey, type FileStore } from './file-store.ts';

/** Files are written here first. No key begins with a dot, so nothing else ever lies here. */
const incoming = '.incoming';
/** What a crash left behind is this old at least, in milliseconds: no put takes that long. */
const abandonedAfter = 60 * 60 * 1000;

/**
 * Files in a folder, which is made when it is not there. Replicas on several machines must share it.
 * @throws Unavailable when the folder cannot be used
 */
export async function openFolderStore(root: string): Promise<FileStore> {
  await serving(async () => {
    await mkdir(join(root, incoming), { recursive: true, mode: 0o700 });
    await removeAbandoned(join(root, incoming));
  });

  async function put(path: string, content: Uint8Array): Promise<void> {
    const draft = join(root, incoming, randomUUID());
    try {
      await writeDurably(draft, content);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(draft, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  const bounded = <Result>(deadline: Deadline, act: () => Promise<Result>): Promise<Result> =>
    within(deadline, serving(act), 'the file store');
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(root, key);
  };

  return {
    put: async (key, content, deadline) => {
      const path = pathOf(key);
      return bounded(deadline, () => put(path, content));
    },
    get: async (key, deadline) => {
      const path = pathOf(key);
      return bounded(deadline, () => readFile(path).catch(missing));
    },
    remove: async (key, deadline) => {
      const path = pathOf(key);
      return bounded(deadline, () => rm(path, { force: true }));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** Only then a rename outlives the loss of power. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(missing);
    if (found !== undefined && found.mtimeMs < Date.now() - abandonedAfter) await rm(path, { force: true });
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

async function serving<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw new Unavailable('the folder of files cannot be used', { cause });
  }
}
