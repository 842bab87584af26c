import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The part of a values schema that is read here. */
export interface ValuesSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValuesSchema;
  properties?: Record<string, ValuesSchema>;
}

/** Values with a single row, because they are described elsewhere. */
const elsewhere = new Set(['settings', 'services', 'resources', 'podResources']);

/** The values of a chart as a table: type, default and purpose of each. */
export async function valuesTable(chart: string, schema: ValuesSchema): Promise<string> {
  const defaults = parse(await readFile(join(chart, 'values.yaml'), 'utf8')) as unknown;
  const rows = rowsOf(schema, [], defaults);
  return `| value | takes | default | what for |\n|---|---|---|---|\n${rows.join('')}`;
}

function rowsOf(schema: ValuesSchema, path: readonly string[], value: unknown): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    if (name === 'global') return [];
    const own = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    const here = [...path, name];
    if (one.properties !== undefined && !elsewhere.has(name)) return rowsOf(one, here, own);
    const cells = [`\`${here.join('.')}\``, takes(one), shown(own), one.description ?? ''];
    return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`];
  });
}

function takes({ type, enum: words, minimum, maximum, items }: ValuesSchema): string {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'integer') return `${minimum} to ${maximum}`;
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'array') return items?.type === 'string' ? 'a list of texts' : 'a list';
  return type === 'object' ? 'a map' : 'text';
}

function shown(value: unknown): string {
  if (value === '' || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' || text === '[]' ? 'empty' : `\`${text}\``;
}
