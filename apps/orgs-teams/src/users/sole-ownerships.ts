import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Organizations whose only owner a user is. */
export interface SoleOwnerships {
  /** Their slugs, ascending; of many the first ones. */
  readonly slugs: readonly string[];
  /** How many there are. */
  readonly count: number;
}

const mostSlugs = 20;

export async function readSoleOwnerships(queryable: Queryable, userId: number): Promise<SoleOwnerships> {
  const rows = await queryable.query(sql<{ slug: string; count: number }>`
    select account.name as "slug", count(*) over () as "count"
      from team_member membership
      join team on team.id = membership.team_id and team.is_owners
      join account on account.id = membership.organization_id
     where membership.user_id = ${userId}
       and not exists (
         select from team_member other where other.team_id = membership.team_id and other.user_id <> ${userId}
       )
     order by account.name collate "C"
     limit ${mostSlugs}`);
  return { slugs: rows.map(({ slug }) => slug), count: rows[0]?.count ?? 0 };
}
