import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { BackingFault } from './fault.ts';
import type { Report } from './find-options.ts';
import type { Server } from './pins.ts';
import { canReach, type ServerUser } from './server-user.ts';

const run = promisify(execFile);

export interface ServerBinary {
  readonly kind: 'binary';
  /** Path of the executable. PostgreSQL's other programs are in the same folder. */
  readonly file: string;
  readonly version: string;
  /** Where the executable is from: a setting names it, the machine has it, or it is the pinned build. */
  readonly origin: 'named' | 'machine' | 'pinned';
}

/** The requirements that an executable must meet. */
export interface Wanted {
  readonly server: Server;
  /** The beginning of the version, such as `18` or `2.15`. */
  readonly series: string;
  /** Other executables that must be in the same folder. */
  readonly companions?: readonly string[];
  /** The user that will run the executable; undefined: the user of this process. */
  readonly user?: ServerUser | undefined;
}

/** Checks the executable that a setting names. @throws BackingFault BINARY_UNFIT */
export async function namedBinary(named: string, wanted: Wanted): Promise<ServerBinary> {
  const { server, series, companions = [] } = wanted;
  const file = await realpath(named).catch(() => undefined);
  const looked = file === undefined ? { unfit: `${server.title} at ${named} was not found` } : await look(file, wanted);
  if ('version' in looked) return { kind: 'binary', file: file!, version: looked.version, origin: 'named' };
  const needed = `${server.title} ${series}`;
  const what = companions.length === 0
    ? `the path of ${needed}` : `a folder that contains ${needed} and ${companions.join(', ')}`;
  const cure = `Set ${server.binaryVariable} to ${what}, or leave it unset.`;
  throw new BackingFault('BINARY_UNFIT', `${server.binaryVariable} cannot be used: ${looked.unfit}.`, cure);
}

/**
 * Looks for a suitable executable in PATH and the usual folders. Reports why an executable was rejected. Returns
 * undefined if no executable is suitable.
 */
export async function findBinary(
  options: Wanted & { readonly path: string | undefined; readonly report: Report },
): Promise<ServerBinary | undefined> {
  const { server, report } = options;
  const folders = [...(options.path ?? '').split(delimiter).filter(isAbsolute), ...server.folders];
  const seen = new Set<string>();
  for (const folder of folders) {
    const file = await realpath(join(folder, server.executable)).catch(() => undefined);
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    const looked = await look(file, options);
    if ('version' in looked) return { kind: 'binary', file, version: looked.version, origin: 'machine' };
    report(`Skipped: ${looked.unfit}.`);
  }
  return undefined;
}

async function look(file: string, wanted: Wanted): Promise<{ version: string } | { unfit: string }> {
  const { server, series } = wanted;
  const version = await versionOf(file, server);
  if (version === undefined) return { unfit: `${server.title} at ${file} does not report its version` };
  if (version !== series && !version.startsWith(`${series}.`)) {
    return { unfit: `${server.title} at ${file} has version ${version}, but version ${series} is needed` };
  }
  if (await hasCompanions(file, wanted)) return { version };
  const beside = wanted.companions?.join(', ');
  const by = wanted.user === undefined ? '' : ` by the user with the uid ${wanted.user.uid}`;
  const cannot = `${server.title} ${version} at ${file} cannot be executed${by}`;
  return { unfit: `${cannot}, or has no usable ${beside} beside it` };
}

async function hasCompanions(file: string, { companions = [], user }: Wanted): Promise<boolean> {
  for (const path of [file, ...companions.map((name) => join(dirname(file), name))]) {
    const isExecutable = await access(path, constants.X_OK).then(() => true, () => false);
    if (!isExecutable || !(await canReach(user, path))) return false;
  }
  return true;
}

/** The version that an executable prints; undefined if it fails, does not end in time, or prints no version. */
async function versionOf(file: string, server: Server): Promise<string | undefined> {
  try {
    const options = { timeout: 5_000, killSignal: 'SIGKILL', cwd: '/' } as const;
    const { stdout, stderr } = await run(file, [...server.versionArguments], options);
    // OpenFGA's log line has a date and a time. Remove them, so that they are not read as a version.
    const text = (stdout + stderr).replaceAll(/\d+[/:]\d+[/:]\d+/g, '');
    return /\bv?(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
