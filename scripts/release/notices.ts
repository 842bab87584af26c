import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { lockedPackages } from '../locked-packages.ts';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Texts of the files with licences and notices in the package. */
  readonly texts: readonly string[];
}

const folderOf = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Returns the notices of the packages that contain these files, sorted by name: name, version and licence texts. */
export function noticesOf(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => folderOf.exec(file)?.[0] ?? []));
  return textOf([...folders].map(readPackage));
}

/**
 * Returns the notices of the installed packages of the lock file, except development dependencies.
 * @param others folders with packages for other architectures
 */
export function noticesOfLock(others: readonly string[]): string {
  const folders = lockedPackages()
    .filter(({ dev }) => !dev)
    .flatMap(({ path }) => [root, ...others].map((folder) => join(folder, path)))
    // Packages for other systems are in the lock file, but not installed.
    .filter((folder) => existsSync(join(folder, 'package.json')));
  return textOf(folders.map(readPackage));
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  const texts = globSync(join(folder, '{LICENSE,LICENCE,License,license,COPYING,NOTICE}*')).sort()
    .map((file) => readFileSync(file, 'utf8').trim());
  return { name, version, license: typeof license === 'string' ? license : 'see its text', texts };
}

function textOf(packages: readonly Package[]): string {
  const sorted = packages.map((one) => [`${one.name} ${one.version}`, one] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = [...new Map(sorted)].map(([title, { license, texts }]) =>
    [`${title} (${license})`, ...texts].join('\n\n'));
  return `${entries.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
