import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run-command.ts';
import { command, ReleaseFault } from './command.ts';
import { type Architecture, nodeNames } from './platforms.ts';
import { type Release, workFolder } from './release.ts';

interface Entry {
  readonly version: string;
  readonly dev?: boolean;
  readonly cpu?: string | readonly string[];
  readonly os?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

/**
 * Installs packages of the lock file for the given architecture. Takes only packages that are limited to this
 * architecture, such as Node and PostgreSQL. @returns the folder with `node_modules`
 */
export function otherPackages(release: Release, architecture: Architecture): string {
  const folder = workFolder(release, `packages-${architecture}`);
  if (existsSync(join(folder, 'node_modules'))) return folder;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  const wanted = Object.entries(lock.packages).filter(([, { dev, cpu = [], os = [], libc = 'glibc' }]) => {
    return dev !== true && cpu.includes(nodeNames[architecture]) && os.includes('linux') && libc.includes('glibc');
  });
  const versions = wanted.map(([path, { version }]) => [path.replace('node_modules/', ''), version]);
  const dependencies = Object.fromEntries(versions) as Record<string, string>;
  // Write a part of the lock file, so that npm verifies the checksums of the packages. Keep the packages optional,
  // because npm refuses required packages for another architecture.
  const optional = { optionalDependencies: dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...optional }));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({
    lockfileVersion: 3, requires: true, packages: { '': optional, ...Object.fromEntries(wanted) },
  }));
  const target = ['--cpu', nodeNames[architecture], '--os', 'linux', '--libc', 'glibc'];
  command('npm', ['ci', ...target, '--ignore-scripts', '--no-audit', '--no-fund'], { folder });
  const left = wanted.filter(([path]) => !existsSync(join(folder, path)));
  // npm skips an optional package that it cannot install.
  if (left.length > 0) throw new ReleaseFault(`npm did not install ${left.map(([path]) => path).join(', ')} for ${architecture}.`);
  return folder;
}
