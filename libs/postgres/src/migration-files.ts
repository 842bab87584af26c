import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationRefused } from './migration-errors.ts';

export interface MigrationFile {
  /** File name: `20261121093000-create-account.sql`. */
  readonly name: string;
  /** Text of the file, with its includes replaced by their content. */
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
  /** False if the first lines contain `-- no transaction` (for `create index concurrently`). */
  readonly transaction: boolean;
  /**
   * Name of an earlier migration, in the first lines of a file that removes something:
   * `-- contracts: 20261121093000-create-account.sql`. Versions with the named migration no longer use the removed
   * objects. Older versions may use them. Undefined if the file has no such line.
   */
  readonly contracts: string | undefined;
}

/** Statements that remove or change something that older versions may still use. */
const removal = new RegExp(
  [
    String.raw`\bdrop\s+(?:table|column|(?:materialized\s+)?view|type|schema|sequence)\b`,
    String.raw`\brename\b`,
    String.raw`\bset\s+not\s+null\b`,
    String.raw`\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b`,
  ].join('|'),
  'i',
);

const namePattern = /^[0-9]{14}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

/** Includes shared SQL, by its path from the migration: `-- include: ../../../libs/owners/sql/owned-rows.sql`. */
const inclusion = /^-- include: (\S+)$/gm;

/**
 * Reads the migrations of a folder in the order of their names. Files other than `*.sql` are ignored. A line
 * `-- include: <path>` is replaced by the text of that file. A file that a migration includes must not change.
 * @throws MigrationRefused MISSING_INCLUDE, BAD_FILE_NAME, SAME_TIME, TAKES_AWAY, MISSING_EXPANSION
 */
export async function readMigrationFiles(directory: string | URL): Promise<readonly MigrationFile[]> {
  const folder = typeof directory === 'string' ? directory : fileURLToPath(directory);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  names.forEach((name, index) => {
    if (!namePattern.test(name)) {
      throw new MigrationRefused('BAD_FILE_NAME', name, 'name it YYYYMMDDhhmmss-what-it-does.sql');
    }
    if (name.slice(0, 14) === names[index - 1]?.slice(0, 14)) {
      throw new MigrationRefused('SAME_TIME', name, `give the file another time than ${names[index - 1]}`);
    }
  });
  const files = await Promise.all(names.map((name) => readMigrationFile(folder, name)));
  for (const { name, text, contracts } of files) assertContraction(name, text, contracts, names);
  return files;
}

/** Versions run side by side, so a migration may remove only what an earlier migration made unused (ADR 0039). */
function assertContraction(name: string, text: string, contracts: string | undefined, names: readonly string[]): void {
  if (contracts === undefined) {
    const [found] = removal.exec(text.replaceAll(/--[^\n]*/g, '')) ?? [];
    if (found === undefined) return;
    const cure = `older versions may use what "${found}" removes; name the migration that made it unused`;
    throw new MigrationRefused('TAKES_AWAY', name, `${cure}: -- contracts: <file>`);
  }
  if (contracts >= name || !names.includes(contracts)) {
    throw new MigrationRefused('MISSING_EXPANSION', name, `there is no earlier migration ${contracts}`);
  }
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  const text = await withIncluded(folder, name, await readFile(join(folder, name), 'utf8'));
  return {
    name,
    text,
    checksum: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex'),
    contracts: /^(?:\s*--[^\n]*\n)*?\s*--\s*contracts:\s*(\S+)/.exec(text)?.[1],
    transaction: !/^(?:\s*--[^\n]*\n)*?\s*--\s*no transaction\b/.test(text),
  };
}

async function withIncluded(folder: string, name: string, text: string): Promise<string> {
  const paths = [...text.matchAll(inclusion)].map(([, path]) => path!);
  const included = new Map(await Promise.all(paths.map(async (path) => {
    const shared = await readFile(join(folder, path), 'utf8').catch(() => {
      throw new MigrationRefused('MISSING_INCLUDE', name, `restore the included file ${path}`);
    });
    return [path, shared.trimEnd()] as const;
  })));
  return text.replaceAll(inclusion, (_, path: string) => included.get(path)!);
}
