import { UnexpectedRows } from './errors.ts';

/** @throws UnexpectedRows unless there is exactly one */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new UnexpectedRows(rows.length);
  return row;
}

/** @throws UnexpectedRows when there are several */
export function atMostOneRow<Row>(rows: readonly Row[]): Row | undefined {
  if (rows.length > 1) throw new UnexpectedRows(rows.length);
  return rows[0];
}
