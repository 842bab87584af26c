import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../pinned-node.mjs';

/** Path of the file that stores the result of `generatedInputs` for the last generation. */
export const generatedStamp = join(root, 'libs', 'proto', 'src', 'generated', '.inputs');

const generators = ['@bufbuild/buf', '@bufbuild/protoc-gen-es', 'google-proto-files', 'ts-proto'];

/** Returns a hash of the inputs of the generated code: protos, buf's settings, scripts and versions of generators. */
export function generatedInputs() {
  const hash = createHash('sha256');
  const protos = readdirSync(join(root, 'proto'), { recursive: true }).filter((path) => path.endsWith('.proto'));
  const settings = readdirSync(root).filter((name) => /^buf.*\.yaml$/.test(name));
  const files = [
    ...protos.map((path) => join('proto', path)),
    ...settings,
    join('scripts', 'generate.mjs'),
    join('scripts', 'prepare', 'access-types.mjs'),
    join('libs', 'surface', 'src', 'access-rule.ts'),
    ...generators.map((name) => join('node_modules', name, 'package.json')),
  ];
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file))).update('\0');
  return hash.digest('hex');
}
