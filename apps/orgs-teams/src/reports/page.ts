import type { Fragment, Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Page } from '../domain/page.ts';

/** A part of a list, and how long the whole is. */
export interface Listed<Row> {
  readonly total: number;
  readonly items: readonly Row[];
}

/** A list as two texts over the same rows. */
export interface List {
  /** Selects the rows, among them `id`, in the order of the list. */
  readonly rows: Fragment;
  /** Counts all of them; no row when there is nothing that could have such a list. */
  readonly count: Fragment;
}

/**
 * Reads one page of a list ordered by ascending `id`, and its whole length, in one statement: one state of the rows.
 * Undefined when `count` selects no row.
 */
export async function readPage<Row extends { readonly id: number }>(
  queryable: Queryable,
  { rows, count }: List,
  { limit, offset }: Page,
  deadline: Deadline,
): Promise<Listed<Row> | undefined> {
  const found = await queryable.query(
    sql<Row & { total: number }>`
      select whole.total, item.*
        from (${count}) whole (total)
        left join (${rows} limit ${limit}::bigint offset ${offset}::bigint) item on true
       order by item.id`,
    { deadline },
  );
  const [first] = found;
  // A page past the end is a single row with nothing beside the length.
  return first && { total: first.total, items: found.filter(({ id }) => id !== null) };
}
