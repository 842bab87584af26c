import type { Fragment, Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Page } from '../domain/page.ts';

/** A part of a list, and how long the whole is. */
export interface Listed<Row extends { readonly id: number | string }> {
  readonly total: number;
  readonly items: readonly Row[];
  /** The last id of a page behind which there is more. */
  readonly next: Row['id'] | undefined;
}

/** A list as two texts over the same rows. */
export interface List {
  /** Selects the rows, among them `id`, in any order; ends within its where clause. */
  readonly rows: Fragment;
  /** The `id` as `rows` can compare it: ascending and unique, it is the order of the list. */
  readonly key: Fragment;
  /** Counts all of them; no row when there is nothing that could have such a list. */
  readonly count: Fragment;
}

/**
 * Reads one page of a list ordered by its key, and its whole length, in one statement: one state of the rows.
 * Undefined when `count` selects no row.
 */
export async function readPage<Row extends { readonly id: number | string }>(
  queryable: Queryable,
  { rows, key, count }: List,
  page: Page<Row['id']>,
  deadline: Deadline,
): Promise<Listed<Row> | undefined> {
  const found = await queryable.query(
    sql<Row & { total: number }>`
      select whole.total, item.*
        from (${count}) whole (total)
        left join (${rows} ${partOf(key, page)}) item on true
       order by item.id`,
    { deadline },
  );
  return found.length === 0 ? undefined : listed(found, page);
}

const everything = sql``;

/** The end of a statement that selects a page in the order of `key`, within its where clause. */
export function partOf(key: Fragment, { limit, offset, after }: Page<number | string>): Fragment {
  const behind = after === null ? everything : sql`and ${key} > ${after}`;
  // One more than wanted tells whether more follows.
  return sql`${behind} order by ${key} limit ${limit === null ? null : limit + 1}::bigint offset ${offset}::bigint`;
}

/** The page within what {@link partOf} selected. */
export function listed<Row extends { readonly id: number | string }>(
  found: readonly (Row & { readonly total: number })[],
  { limit }: Page<Row['id']>,
): Listed<Row> {
  const { total } = found[0]!;
  // A page past the end is a single row with nothing beside the length.
  const rows = found.filter(({ id }) => id !== null);
  if (limit === null || rows.length <= limit) return { total, items: rows, next: undefined };
  const items = rows.slice(0, limit);
  return { total, items, next: items.at(-1)!.id };
}
