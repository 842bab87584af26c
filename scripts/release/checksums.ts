import { createHash, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseFault } from './command.ts';
import type { Release } from './release.ts';

/**
 * Writes `SHA256SUMS` with the checksums of all files, for `sha256sum --check`. With a key in PEM, also writes the
 * signature `SHA256SUMS.sig`, for `openssl pkeyutl -verify -rawin`.
 * @throws ReleaseFault if the key cannot be read or cannot sign
 */
export function writeChecksums({ folder, key }: Release): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const lines = files.map((file) =>
    `${createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')}  ${file}\n`);
  const sums = join(folder, 'SHA256SUMS');
  writeFileSync(sums, lines.join(''));
  if (key === undefined) return;
  try {
    writeFileSync(`${sums}.sig`, sign(null, readFileSync(sums), readFileSync(key, 'utf8')));
  } catch (error) {
    throw new ReleaseFault(`Cannot sign with the key ${key}: ${(error as Error).message}`);
  }
}
