import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Id of an organization's hidden system admin (open-points 1.10); undefined when it is missing. */
export async function findSystemAdmin(queryable: Queryable, organizationId: number): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ id: number }>`select id from account where system_admin_of = ${organizationId}`);
  return row?.id;
}
