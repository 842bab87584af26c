import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV (RFC 4180; open-points 18.7). Numbers and booleans are as in JSON; lists and objects are JSON text; null
 * and undefined are empty. A text that a spreadsheet would take for a formula gets a `'` in front.
 */
export function csvText(rows: readonly (readonly unknown[])[]): string {
  return stringify(rows as unknown[][], {
    record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String },
    // csv-stringify 6 quotes the line break that ends its rows alone; RFC 4180 has no other one outside of quotes.
    quoted_match: /[\r\n]/,
  });
}
