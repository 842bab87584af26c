import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import { slugKey } from '@platform/values';

/** Id of the organization of this name, ignoring case; undefined for no account and for one of another kind. */
export async function findOrganization(queryable: Queryable, name: string): Promise<number | undefined> {
  const key = slugKey(name);
  if (key === undefined) return undefined;
  const row = await queryable.maybeOne(sql<{ id: number }>`
    select id from account where lower(name collate "C") = ${key} and kind = 'organization'`);
  return row?.id;
}
