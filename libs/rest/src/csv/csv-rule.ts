import type { IncomingHttpHeaders } from 'node:http';
import { JSONParser } from '@streamparser/json';
import Negotiator from 'negotiator';
import { Fault } from '@platform/faults';
import type { Query } from '@platform/http';
import type { DescField, Method, Surface } from '@platform/surface';
import type { Message } from '../json/decode-message.ts';
import type { MessageEncoders } from '../json/encode-message.ts';
import { type Column, columnsOf, columnsOfMessage } from './columns.ts';
import { csvText } from './csv-text.ts';

/** How the rows of a method's responses become CSV (open-points 18.7). Compiled once per method. */
export interface CsvRule {
  readonly header: string;
  openReader(): CsvReader;
}

interface CsvReader {
  /** Takes the next response. Returns the CSV lines of the rows that this response completes. */
  linesOf(response: Message): string;
  /** Called after the last response. @throws Error if the JSON of a stream is incomplete */
  end(): void;
}

/** Compiles the CSV of a method. Returns undefined unless the method is a GET of a list or of an object with rows. */
export function compileCsv(
  { http, output, rest }: Method, { registry }: Surface, encoders: MessageEncoders,
): CsvRule | undefined {
  if (http?.verb !== 'GET') return undefined;
  // `readSurface` took the type of the rows from this registry, so the type exists.
  if (rest.rows !== undefined) return ofView(rest.rows.field, columnsOfMessage(registry.getMessage(rest.rows.type)!));
  const list = output.fields.find(({ name }) => name === http.responseBody);
  return list?.fieldKind === 'list' ? ofList(list, encoders) : undefined;
}

function ofList(list: DescField, encoders: MessageEncoders): CsvRule {
  const columns = columnsOf(list);
  const encode = encoders.fieldOf(list) as (response: Message) => unknown[];
  return {
    header: headerOf(columns),
    openReader: () => ({ linesOf: (response) => linesOf(columns, encode(response)), end: () => undefined }),
  };
}

/** Returns the rule for a JSON object that arrives in pieces. @param member name of the member with the list of rows */
function ofView(member: string, columns: readonly Column[]): CsvRule {
  return {
    header: headerOf(columns),
    openReader: () => {
      let rows: unknown[] = [];
      const parser = new JSONParser({ paths: [`$.${member}.*`], keepStack: false });
      parser.onValue = ({ value }) => void rows.push(value);
      return {
        linesOf: ({ data }) => {
          if (data instanceof Uint8Array) parser.write(data);
          const lines = linesOf(columns, rows);
          rows = [];
          return lines;
        },
        end: () => {
          // The parser ends by itself at the end of the object.
          if (!parser.isEnded) throw new Error('the JSON of a stream is incomplete');
        },
      };
    },
  };
}

function headerOf(columns: readonly Column[]): string {
  return csvText([columns.map(({ name }) => name)]);
}

function linesOf(columns: readonly Column[], rows: readonly unknown[]): string {
  return csvText(rows.map((row) => columns.map(({ read }) => read(row))));
}

const mediaTypes = ['application/json', 'text/csv'];

/**
 * Whether a request asks for CSV. The parameter `format` decides. Without `format`, the header `Accept` decides.
 * Returns the fault INVALID_PARAMETER for an invalid `format`.
 */
export function asksForCsv(query: Query, headers: IncomingHttpHeaders): boolean | Fault {
  const formats = query.all('format');
  if (formats.length > 0) {
    const [format] = formats;
    if (formats.length === 1 && (format === 'csv' || format === 'json')) return format === 'csv';
    const message = 'must be csv or json, and may be given once';
    const violations = [{ path: 'format', message }];
    return new Fault('INVALID_PARAMETER', `the parameter format ${message}`, { violations });
  }
  // Media types are case-insensitive (RFC 9110 §8.3.1).
  return /text\//i.test(headers.accept ?? '') && new Negotiator({ headers }).mediaType(mediaTypes) === 'text/csv';
}
