import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * What rows show of their owners: nothing where one owner is shown, names where it is all of them (open-points 7.1).
 * @param ownerId the one owner; undefined: all
 */
export async function readOwnerNames(
  queryable: Queryable, ownerId: number | undefined, rows: readonly { readonly ownerId: number }[], deadline: Deadline,
): Promise<(ownerId: number) => { ownerID: number; ownerName: string } | undefined> {
  if (ownerId !== undefined) return () => undefined;
  const ids = [...new Set(rows.map((row) => row.ownerId))];
  const owners = await queryable.query(
    sql<{ id: number; slug: string }>`select id, slug from account where id = any (${ids}::bigint[])`, { deadline },
  );
  const slugs = new Map(owners.map(({ id, slug }) => [id, slug]));
  return (id) => ({ ownerID: id, ownerName: slugs.get(id) ?? '' });
}
