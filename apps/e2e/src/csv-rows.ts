/** Parses a CSV in the form of RFC 4180, with lines ended by CRLF. @throws Error if the text has another form */
export function csvRows(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const from = field.lastIndex;
    const found = field.exec(text);
    if (found === null) throw new Error(`no field of a CSV: ${JSON.stringify(text.slice(from, from + 80))}`);
    const [, quoted, plain, end] = found;
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
