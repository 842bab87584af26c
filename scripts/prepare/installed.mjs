import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

const lockFile = join(root, 'package-lock.json');

/** Path of the file that stores the result of `installedInputs` for the packages in node_modules. */
export const installedStamp = join(root, 'node_modules', '.platform-lock');

/** Returns `<hash of the lock file> <operating system> <architecture>`. */
export function installedInputs() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${hash} ${process.platform} ${process.arch}`;
}

/**
 * Whether node_modules has all packages that the lock file requires on this machine, in the locked versions. Reads the
 * record that npm itself keeps (`node_modules/.package-lock.json`), so that a manual `npm install` counts too.
 */
export function installedAsLocked() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = readPackages(noted);
  return Object.entries(readPackages(lockFile))
    .filter(([path]) => path.includes('node_modules/'))
    .every(([path, locked]) => {
      const found = installed[path];
      if (found === undefined) return locked.optional === true && !madeForThisMachine(locked);
      return found.version === locked.version && existsSync(join(root, path));
    });
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * Whether an optional package is made for the operating system, architecture and C library of this machine. False if
 * the package names neither an operating system nor an architecture. npm leaves such a package out if only packages
 * for other machines depend on it.
 */
function madeForThisMachine({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, cLibrary());
}

/** Whether `names`, such as `os` of a package, allows `value`. An entry such as `!win32` excludes a value. */
function allows(names, value) {
  if (names === undefined) return true;
  const list = [names].flat();
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((entry) => entry.startsWith('!'));
}

let library;
function cLibrary() {
  library ??= process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return library;
}
