import { stringify } from 'csv-stringify/sync';

/**
 * Writes rows as CSV (RFC 4180; open-points 18.7). Lists and objects become JSON text. Null and undefined become empty
 * values. A value that a spreadsheet would read as a formula gets the prefix `'`.
 */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], {
    record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String },
    // RFC 4180 requires quotes around a value with a CR or LF. For a CR or LF alone, csv-stringify 6 adds no quotes.
    quoted_match: /[\r\n]/,
  });
}
