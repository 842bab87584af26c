import { type Fragment, type Queryable, sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { encodePlace, type ListOrder } from './order.ts';
import type { Page } from './page.ts';

/** The SQL of a list. */
export interface List {
  /** Selects all rows of the list, in any order. The columns of `order` must be among the selected columns. */
  readonly rows: Fragment;
  readonly order: ListOrder;
  /** Counts the rows of the list. May select no row, to say that the list does not exist. */
  readonly count: Fragment;
  /**
   * Selects the row to return for `item`, which is one of the `rows`. May be expensive, because it runs only for the
   * requested part of the list. Default: `item` itself.
   */
  readonly details?: Fragment;
}

export interface Listed<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  /** The `after` that selects the next part of the list; undefined if this part is the last. */
  readonly next: string | undefined;
}

/**
 * Reads a part of a list and the length of the list in one statement. So both come from one state of the rows.
 *
 * ```ts
 * const listed = await readPage<TeamRow>(database, {
 *   rows: sql`select id, name from team where organization_id = ${organizationId}`,
 *   order: byId,
 *   count: sql`select count(*) from team where organization_id = ${organizationId}`,
 * }, pageOf(request, config), deadline);
 * ```
 * @returns undefined if `count` selects no row
 * @throws Fault INVALID_PARAMETER if `after` cannot be decoded
 */
export async function readPage<Row extends object>(
  queryable: Queryable, { rows, order, count, details = asItIs }: List, { limit, offset, after }: Page,
  deadline: Deadline,
): Promise<Listed<Row> | undefined> {
  const found = await queryable.query(
    // One row more than requested shows whether more rows follow.
    sql<Row & { total: number; place: string | null }>`
      select whole.total, item.place, detail.*
        from (${count}) whole (total)
        left join (
          (
            select item.*, ${order.place} as place
              from (${rows}) item
             where ${after === undefined ? everything : order.after(keysOf(order, after))}
             order by ${order.by}
             limit ${limit + 1}::bigint offset ${offset}::bigint
          ) item
          cross join lateral (${details}) detail
        ) on true
       order by ${order.by}`,
    { deadline },
  );
  if (found.length === 0) return undefined;
  const { total } = found[0]!;
  // If the page is empty, the statement returns one row that contains only the length of the list.
  const items = found.filter(({ place }) => place !== null);
  if (items.length <= limit) return { total, items, next: undefined };
  items.pop();
  return { total, items, next: encodePlace(items.at(-1)!.place!) };
}

const everything = sql`true`;
const asItIs = sql`select item.*`;

/** @throws Fault INVALID_PARAMETER if `after` cannot be decoded */
export function keysOf(order: ListOrder, after: string): readonly string[] {
  const keys = order.decode(after);
  if (keys !== undefined) return keys;
  const message = 'must be `next` of a previous response of this list';
  throw new Fault('INVALID_PARAMETER', `after ${message}`, { violations: [{ path: 'after', message }] });
}
