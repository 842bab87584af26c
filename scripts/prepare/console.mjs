import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

/** Path of the file that stores the result of `consoleInputs` for the last successful build. */
export const consoleStamp = join(root, 'apps', 'console', 'dist', '.inputs');

/** Returns a hash of the files that affect the build of the console. */
export function consoleInputs() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of [...filesIn('apps/console'), ...filesIn('libs/client/src')]) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file))).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !file.startsWith(join('apps', 'console', 'dist')) && !file.endsWith('.spec.ts'))
    .sort();
}
