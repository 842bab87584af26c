import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Slugs of the organizations whose only owner a user is, ascending. */
export async function readSoleOwnerships(queryable: Queryable, userId: number): Promise<string[]> {
  const rows = await queryable.query(sql<{ slug: string }>`
    select account.name as "slug"
      from team_member membership
      join team on team.id = membership.team_id and team.is_owners
      join account on account.id = membership.organization_id
     where membership.user_id = ${userId}
       and not exists (
         select from team_member other where other.team_id = membership.team_id and other.user_id <> ${userId}
       )
     order by account.name collate "C"`);
  return rows.map(({ slug }) => slug);
}
