import { type Queryable, sql } from '@platform/postgres';
import { namedOnce } from '../roles/structure-names.ts';
import type { TeamRow } from './reports.ts';

type TeamFields = Pick<TeamRow, 'name' | 'description' | 'permission'>;

/**
 * Inserts a team without members and roles, and returns its id. Undefined if the organization does not exist or already
 * has `most` teams.
 * @throws Fault ALREADY_EXISTS when the name is taken in the organization, ignoring case
 */
export async function insertTeam(
  queryable: Queryable, organizationId: number, { name, description, permission }: TeamFields, most: number,
): Promise<number | undefined> {
  const inserted = await namedOnce('team_name', name, () => queryable.maybeOne(sql<{ id: number }>`
    insert into team (organization_id, name, description, permission)
    select id, ${name}, ${description}, ${permission} from organization
     where id = ${organizationId} and (select count(*) from team where organization_id = ${organizationId}) < ${most}
    returning id`));
  return inserted?.id;
}

/** @throws Fault ALREADY_EXISTS as {@link insertTeam} */
export async function updateTeamRow(
  queryable: Queryable, teamId: number, { name, description, permission }: TeamFields,
): Promise<void> {
  await namedOnce('team_name', name, () => queryable.execute(sql`
    update team set name = ${name}, description = ${description}, permission = ${permission} where id = ${teamId}`));
}

/**
 * Deletes a team, and returns the ids of its former members, ascending. The database deletes the dependent rows. The
 * caller must hold `lock.structure` of the organization.
 */
export async function deleteTeamRow(queryable: Queryable, teamId: number): Promise<readonly number[]> {
  const { memberIds } = await queryable.one(sql<{ memberIds: number[] }>`
    select array(select user_id from team_member where team_id = ${teamId} order by user_id) as "memberIds"`);
  await queryable.execute(sql`delete from team where id = ${teamId}`);
  return memberIds;
}
