import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checks/run-command.ts';

/** A package in the lock file that is not a workspace. */
export interface LockedPackage {
  /** Path below the repository's root, such as `node_modules/yaml`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression from the package; undefined if it has none. */
  readonly license: string | undefined;
  /** Whether the package has an install script. */
  readonly hasInstallScript: boolean;
  /** Whether only development needs the package. */
  readonly dev: boolean;
}

interface Entry extends Partial<LockedPackage> {
  readonly link?: boolean;
}

/** All packages of the lock file except workspaces, including those for other systems. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { name, version, license, hasInstallScript = false, dev = false }]) => ({
      path, name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: version!, license, hasInstallScript, dev,
    }));
}
