import type { Column } from './data-rows.tsx';
import { type Instant, Moment } from './moment.tsx';
import { Short } from './short.tsx';

/** A column of moments. @param absent the text to show if a row has no moment */
export function momentColumn<Row>(
  title: string, value: (row: Row) => Instant, { absent, minor = false }: { absent?: string; minor?: boolean } = {},
): Column<Row> {
  return { title, value, minor, shown: (row) => <Moment at={value(row)} {...(absent && { absent })} /> };
}

/** A column of texts that may be long. @param absent text for rows without a text */
export function shortColumn<Row>(
  title: string, value: (row: Row) => string | undefined,
  { absent = '', minor = false, ...short }: { absent?: string; mono?: boolean; width?: number; minor?: boolean } = {},
): Column<Row> {
  return { title, value, minor, shown: (row) => <Short {...short}>{value(row) || absent}</Short> };
}
