import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from './find-options.ts';
import type { Server } from './pins.ts';
import { canReach, type ServerUser } from './server-user.ts';

const run = promisify(execFile);

/** How long an executable may take to tell its version. */
const VERSION_MILLISECONDS = 5_000;

/** A server's executable, fit to run. */
export interface ServerBinary {
  readonly kind: 'binary';
  /** The folder of the executable; for PostgreSQL also of `initdb`. */
  readonly directory: string;
  readonly version: string;
  /** Found on the machine, or the pinned one (npm package or built by Go). */
  readonly origin: 'machine' | 'pinned';
}

export interface FindBinaryOptions {
  readonly server: Server;
  /** The leading numbers that must agree: `18`, `2.15`. */
  readonly series: string;
  /** Executables that must lie beside the server's. */
  readonly companions?: readonly string[];
  /** The user that will run it, if another. */
  readonly user?: ServerUser | undefined;
  readonly path: string | undefined;
  readonly report: Report;
}

/** Looks for a fitting executable in PATH and the usual folders. What is passed over is reported, with the reason. */
export async function findBinary(options: FindBinaryOptions): Promise<ServerBinary | undefined> {
  const { server, series, report } = options;
  const folders = [...(options.path ?? '').split(delimiter).filter(isAbsolute), ...server.folders];
  const seen = new Set<string>();
  for (const folder of folders) {
    const file = await realpath(join(folder, server.executable)).catch(() => undefined);
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    const version = await versionOf(file, server);
    if (version === undefined) {
      report(`${server.title} at ${file} is passed over: it does not tell its version.`);
    } else if (version !== series && !version.startsWith(`${series}.`)) {
      report(`${server.title} ${version} at ${file} is passed over: ${series} is needed.`);
    } else if (!(await hasCompanions(file, options))) {
      const beside = options.companions?.join(', ');
      report(`${server.title} ${version} at ${file} is passed over: ${beside} is not beside it, or not for its user.`);
    } else {
      return { kind: 'binary', directory: dirname(file), version, origin: 'machine' };
    }
  }
  return undefined;
}

async function hasCompanions(file: string, { companions = [], user }: FindBinaryOptions): Promise<boolean> {
  for (const path of [file, ...companions.map((name) => join(dirname(file), name))]) {
    if (!(await executable(path)) || !(await canReach(user, path))) return false;
  }
  return true;
}

async function executable(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(() => true, () => false);
}

/** The version an executable tells of itself; undefined if it does not run, does not end in time, or tells none. */
export async function versionOf(file: string, server: Server): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(file, [...server.versionArguments], {
      timeout: VERSION_MILLISECONDS,
      killSignal: 'SIGKILL',
      cwd: '/',
    });
    return /\bv?(\d+\.\d+(?:\.\d+)?)/.exec(withoutTime(stdout + stderr))?.[1];
  } catch {
    return undefined;
  }
}

/** OpenFGA logs its version: the date and time before it are not one. */
function withoutTime(text: string): string {
  return text.replaceAll(/\d+[/:]\d+[/:]\d+/g, '');
}
