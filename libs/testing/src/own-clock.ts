import { access, chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { held } from './harness.ts';

/** The wall clock of processes that run in its environment. Measured durations stay correct. */
export interface OwnClock extends AsyncDisposable {
  /** Environment variables for a process with this clock; `libfaketime` shows the clock to the process. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Sets the clock this many hours ahead of the machine's clock, or behind it if negative. Works at once, and also for
   * running processes.
   */
  step(hours: number): Promise<void>;
}

const library = 'libfaketimeMT.so.1';
/** Folders in which Debian and other distributions install the library. */
const folders = ['x86_64-linux-gnu/faketime', 'aarch64-linux-gnu/faketime', 'faketime'].map((path) => `/usr/lib/${path}`);

async function findLibrary(): Promise<string | undefined> {
  const paths = folders.map((folder) => join(folder, library));
  const found = await Promise.all(paths.map((path) => access(path).then(() => path, () => undefined)));
  return found.find((path) => path !== undefined);
}

/** Whether {@link ownClock} works here; it needs `libfaketime`. */
export async function hasOwnClock(): Promise<boolean> {
  return await findLibrary() !== undefined;
}

/** A clock that at first shows the machine's time. Undefined if `libfaketime` is not installed. */
export async function ownClock(): Promise<OwnClock | undefined> {
  const preload = await findLibrary();
  if (preload === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'platform-clock-'));
  // If the run belongs to root, PostgreSQL's user must be able to read it.
  await chmod(folder, 0o755);
  const [file, draft] = [join(folder, 'offset'), join(folder, 'draft')];
  const step = async (hours: number): Promise<void> => {
    await writeFile(draft, `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h\n`);
    await rename(draft, file);
  };
  await step(0);
  return held({
    environment: {
      LD_PRELOAD: preload, FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DISABLE_SHM: '1',
    },
    step,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  });
}
