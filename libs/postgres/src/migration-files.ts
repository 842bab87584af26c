import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationRefused } from './migration-errors.ts';

export interface MigrationFile {
  /** File name, `20261121093000-create-account.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, as hexadecimal. */
  readonly checksum: string;
  /** False where the first lines say `-- no transaction` (for `create index concurrently`). */
  readonly transaction: boolean;
}

const namePattern = /^[0-9]{14}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

/**
 * The migrations of a folder in the order of their names. Other files than `*.sql` are left alone.
 * @throws MigrationRefused BAD_FILE_NAME, SAME_TIME
 */
export async function readMigrationFiles(directory: string | URL): Promise<readonly MigrationFile[]> {
  const folder = typeof directory === 'string' ? directory : fileURLToPath(directory);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  names.forEach((name, index) => {
    if (!namePattern.test(name)) {
      throw new MigrationRefused('BAD_FILE_NAME', name, 'name it YYYYMMDDhhmmss-what-it-does.sql');
    }
    if (name.slice(0, 14) === names[index - 1]?.slice(0, 14)) {
      throw new MigrationRefused('SAME_TIME', name, `give it another time than ${names[index - 1]}`);
    }
  });
  return Promise.all(names.map((name) => readMigrationFile(folder, name)));
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(folder, name), 'utf8');
  return {
    name,
    text,
    checksum: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex'),
    transaction: !/^(?:\s*--[^\n]*\n)*?\s*--\s*no transaction\b/.test(text),
  };
}
