import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationRefused } from './migration-errors.ts';

export interface MigrationFile {
  /** File name: `20261121093000-create-account.sql`. */
  readonly name: string;
  /** Text of the file, with the included files in place of the lines `-- include: …`. */
  readonly text: string;
  /** SHA-256 of the text with LF line ends, in hexadecimal. */
  readonly checksum: string;
  /** Whether the file runs in a transaction. Its first lines may forbid this: `-- no transaction`. */
  readonly transaction: boolean;
  /**
   * An earlier migration, named in the first lines of the file: `-- contracts: 20261121093000-create-account.sql`. This
   * file may remove objects, because versions that have the earlier migration do not use the objects. Undefined if the
   * first lines name no migration.
   */
  readonly contracts: string | undefined;
}

/** Matches statements that remove or change something that older versions may still use. */
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

/**
 * A line that includes another SQL file: `-- include: ../../../libs/owners/sql/owned-rows.sql`. The path is relative to
 * the folder of the migration.
 */
const inclusion = /^-- include: (\S+)$/gm;

/**
 * Reads the migrations of a folder in the order of their names. Files other than `*.sql` are ignored. Each line
 * `-- include: <path>` is replaced by the text of the file at this path. The text of the file must not change after the
 * migration was applied, because `migrate` refuses a changed text (CHANGED_FILE).
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
      throw new MigrationRefused('SAME_TIME', name, `${names[index - 1]} begins with the same time; rename one file`);
    }
  });
  const files = await Promise.all(names.map((name) => readMigrationFile(folder, name)));
  for (const { name, text, contracts } of files) assertContraction(name, text, contracts, names);
  return files;
}

/**
 * Refuses a migration with a statement that may break older versions ({@link removal}), because old and new versions
 * run side by side (ADR 0039). Permits such a migration if its line `-- contracts:` names an earlier migration.
 * @throws MigrationRefused TAKES_AWAY, MISSING_EXPANSION
 */
function assertContraction(name: string, text: string, contracts: string | undefined, names: readonly string[]): void {
  if (contracts === undefined) {
    const [found] = removal.exec(text.replaceAll(/--[^\n]*/g, '')) ?? [];
    if (found === undefined) return;
    const cure = `"${found}" may break older versions; in the first lines, name the migration after which it is safe`;
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
      throw new MigrationRefused('MISSING_INCLUDE', name, `restore the included file ${path}, or correct its path`);
    });
    return [path, shared.trimEnd()] as const;
  })));
  return text.replaceAll(inclusion, (_, path: string) => included.get(path)!);
}
