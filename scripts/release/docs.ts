import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { root } from '../checks/run-command.ts';
import { command } from './command.ts';
import type { Release } from './release.ts';

/** Earliest time in a zip archive; zip has no time zones. */
const firstTime = '1980-01-01T00:00:00';
/** Placeholder in the built files for the path of the platform on its host (apps/site/src/strict-files.ts). */
const placeholder = '/__platform-base__';

/** Builds the site of the documents and packs it, to be served at `/docs`. @returns the file */
export function zipDocs(release: Release): string {
  command(process.execPath, [join(root, 'node_modules/nx/dist/bin/nx.js'), 'build', 'site']);
  const built = join(root, 'apps/site/dist');
  const names = readdirSync(built, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => relative(built, join(entry.parentPath, entry.name))).toSorted();
  const files: Zippable = Object.fromEntries(names.map((name) => {
    const content = readFileSync(join(built, name));
    const text = extname(name) === '.png' ? content : Buffer.from(content.toString('utf8').replaceAll(placeholder, ''));
    return [`docs/${name}`, text];
  }));
  const file = join(release.folder, `platform-docs-${release.version}.zip`);
  writeFileSync(file, zipSync(files, { mtime: firstTime, level: 9 }));
  return file;
}
