import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV (RFC 4180; open-points 18.7). Numbers and booleans are as in JSON; lists and objects are JSON text; null
 * and undefined are empty. A text that a spreadsheet would read as a formula is prefixed with `'`.
 */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], {
    record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String },
    // csv-stringify 6 quotes values with the row delimiter (CRLF), but not values with a single CR or LF. RFC 4180
    // requires quotes around all these values.
    quoted_match: /[\r\n]/,
  });
}
