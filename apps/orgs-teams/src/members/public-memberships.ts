import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Makes a membership public; returns whether it was private before. The user must be a member. */
export async function insertPublicMembership(
  queryable: Queryable,
  organizationId: number,
  userId: number,
): Promise<boolean> {
  const added = await queryable.execute(sql`
    insert into public_membership (organization_id, user_id) values (${organizationId}, ${userId})
    on conflict do nothing`);
  return added > 0;
}

/** Makes a membership private; returns whether it was public before. */
export async function deletePublicMembership(
  queryable: Queryable,
  organizationId: number,
  userId: number,
): Promise<boolean> {
  const deleted = await queryable.execute(sql`
    delete from public_membership where organization_id = ${organizationId} and user_id = ${userId}`);
  return deleted > 0;
}
