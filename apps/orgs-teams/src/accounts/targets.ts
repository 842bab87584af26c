import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { slugKey } from '@platform/values';

/** An account that a request names as its target. A hidden system admin is never one (open-points 1.10). */
export interface Target {
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'organization';
  readonly active: boolean;
}

const columns = sql`id, name, kind, active`;

/** By name, ignoring case. */
export async function findTargetByName(queryable: Queryable, name: string): Promise<Target | undefined> {
  const key = slugKey(name);
  if (key === undefined) return undefined;
  return queryable.maybeOne(sql<Target>`
    select ${columns} from account where lower(name collate "C") = ${key} and kind <> 'system_admin'`);
}

export async function findTargetById(queryable: Queryable, id: number): Promise<Target | undefined> {
  return queryable.maybeOne(sql<Target>`select ${columns} from account where id = ${id} and kind <> 'system_admin'`);
}

/** Id of the organization of this name, ignoring case; undefined for no account and for one of another kind. */
export async function findOrganization(
  queryable: Queryable,
  name: string,
  deadline: Deadline,
): Promise<number | undefined> {
  const key = slugKey(name);
  if (key === undefined) return undefined;
  const row = await queryable.maybeOne(
    sql<{ id: number }>`select id from account where lower(name collate "C") = ${key} and kind = 'organization'`,
    { deadline },
  );
  return row?.id;
}

/** Id of an organization's hidden system admin (open-points 1.10); undefined when it is missing. */
export async function findSystemAdmin(queryable: Queryable, organizationId: number): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ id: number }>`select id from account where system_admin_of = ${organizationId}`);
  return row?.id;
}
