import { columns } from '../output.ts';
import { visible } from '../visible.ts';

/** Formats of an answer. The server, not this command, formats CSV. */
export const formats = ['table', 'json', 'yaml', 'csv'] as const;
export type Format = (typeof formats)[number];

export async function textOf(answer: unknown, format: Format): Promise<string[]> {
  if (format === 'table') return tableOf(answer);
  if (format !== 'yaml') return JSON.stringify(answer, undefined, 2).split('\n');
  const { Document, visit } = await import('yaml');
  const document = new Document(answer);
  // In YAML, only a text in double quotes can show hidden characters as escapes.
  visit(document, { Scalar: (_key, node) => void (isHidden(node.value) && (node.type = 'QUOTE_DOUBLE')) });
  return document.toString().trimEnd().split('\n');
}

const isHidden = (value: unknown) => typeof value === 'string' && visible(value) !== value;

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Formats a list of objects as columns. Any other list becomes one line per item. An object becomes one line per
 * member, with name and value. Nested objects and lists become JSON.
 */
function tableOf(answer: unknown): string[] {
  if (Array.isArray(answer)) {
    const rows = answer as readonly unknown[];
    if (!rows.every(isRow)) return rows.map(cellOf);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return rows.length === 0 ? [] : columns([names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]);
  }
  if (isRow(answer)) return columns(Object.entries(answer).map(([name, value]) => [name, cellOf(value)]));
  return [cellOf(answer)];
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
