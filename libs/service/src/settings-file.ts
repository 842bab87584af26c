import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { settings } from './settings.ts';

/** A YAML file of settings. `values` contains the unchecked YAML values by dotted key. */
export interface SettingsFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/**
 * Reads a settings file, which may be empty. `billing: {enabled: true}` and `billing.enabled: true` are the same
 * setting.
 * @throws SyntaxError if the content is not a YAML mapping or contains a key twice; ReferenceError for a YAML alias;
 *   the error of the file system if the file cannot be read
 */
export function readSettingsFile(path: string): SettingsFile {
  const document = parseDocument(readFileSync(path, 'utf8'), { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    // The YAML library's own message is not used: it quotes the faulty line, and that line may contain a secret.
    const line = problem.linePos?.[0].line;
    throw new SyntaxError(`is not valid YAML (${problem.code}${line === undefined ? '' : `, line ${line}`})`);
  }
  const content: unknown = document.toJS({ maxAliasCount: 0 });
  const values = new Map<string, unknown>();
  if (content === null || content === undefined) return { path, values };
  if (!isMapping(content)) throw new SyntaxError('is not a mapping');
  flatten(content, '', values);
  return { path, values };
}

function flatten(mapping: Readonly<Record<string, unknown>>, prefix: string, values: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(mapping)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (isMapping(value) && !Object.hasOwn(settings, key)) {
      flatten(value, key, values);
    } else if (values.has(key)) {
      throw new SyntaxError(`names ${key} twice`);
    } else {
      values.set(key, value);
    }
  }
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
