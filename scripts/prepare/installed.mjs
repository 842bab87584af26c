import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

const lockFile = join(root, 'package-lock.json');

/** This file records the inputs of the last install: the `installedInputs` of that time. */
export const installedStamp = join(root, 'node_modules', '.platform-lock');

/** The inputs of the install: the lock file and the kind of machine. */
export function installedInputs() {
  const hash = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${hash} ${process.platform} ${process.arch}`;
}

/**
 * Whether node_modules already matches the lock file, according to npm's own record: after an `npm install` by hand
 * nothing needs to be installed.
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
 * Whether an optional package is specific to this kind of machine. Packages for all machines only accompany such
 * packages.
 */
function madeForThisMachine({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, cLibrary());
}

/** npm's lists name what is allowed, or with `!` what is excluded. */
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
