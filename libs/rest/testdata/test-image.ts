import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const modules = ['proto', 'libs/proto/vendor', 'libs/rest/testdata/proto'];
const kept = join(root, 'node_modules/.cache/platform-rest');

/** The descriptor image of the product's API and the test API (testdata/proto). Built again if a proto has changed. */
export function readTestImage(): Uint8Array {
  const hash = createHash('sha256');
  for (const file of modules.flatMap((module) => globSync(join(root, module, '**/*.proto'))).sort()) {
    hash.update(file).update(readFileSync(file));
  }
  const path = join(kept, `${hash.digest('hex').slice(0, 32)}.binpb`);
  if (existsSync(path)) return readFileSync(path);
  const config = { version: 'v2', modules: modules.map((module) => ({ path: module })) };
  const image = execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@bufbuild/buf/bin/buf'),
      ...['build', '--config', JSON.stringify(config), '-o', '-#format=binpb'],
    ],
    { cwd: root, maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  mkdirSync(kept, { recursive: true });
  // Write another file and rename it, so that a concurrent spec file never reads an incomplete image.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, image);
  renameSync(partial, path);
  return image;
}
