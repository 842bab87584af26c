import { stringify } from 'csv-stringify/sync';

/**
 * Writes rows as CSV (RFC 4180; open-points 18.7). Lists and objects become JSON text. Null and undefined become empty.
 * A text that looks like a formula gets the prefix `'`.
 */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], {
    record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String },
    // csv-stringify 6 does not quote a value with a single CR or LF. RFC 4180 requires quotes around it.
    quoted_match: /[\r\n]/,
  });
}
