import { notFound } from '@platform/faults';
import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { TeamPermission } from '@platform/relations';
import type { Deadline } from '@platform/service';
import { organizationColumns, type OrganizationRow } from '../accounts/read-organization.ts';

export interface TeamRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly permission: TeamPermission;
  readonly isOwners: boolean;
  /** In ascending order. */
  readonly roleIds: readonly number[];
}

export interface PlacedTeamRow extends TeamRow {
  readonly organization: OrganizationRow;
}

const columns = sql`
  team.id, team.name, team.description, team.type, team.permission, team.is_owners as "isOwners",
  array(
    select assigned.role_id from team_role assigned where assigned.team_id = team.id order by assigned.role_id
  ) as "roleIds"`;

/** Returns a page of the teams of an organization, by ascending id. */
export async function readTeams(
  queryable: Queryable, organizationId: number, page: Page, deadline: Deadline,
): Promise<Listed<TeamRow>> {
  return (await readPage<TeamRow>(queryable, {
    rows: sql`select ${columns} from team where team.organization_id = ${organizationId}`,
    order: byId,
    count: sql`select count(*) from team where organization_id = ${organizationId}`,
  }, page, deadline))!;
}

/** Returns a team with its organization. @throws Fault NOT_FOUND when the organization has no such team */
export async function readTeam(
  queryable: Queryable, organizationId: number, teamId: number, deadline: Deadline,
): Promise<PlacedTeamRow> {
  const row = await queryable.maybeOne(sql<PlacedTeamRow>`
    select ${columns}, to_jsonb(owner) as "organization"
      from team
      join (
        select ${organizationColumns} from organization join account on account.id = organization.id
      ) owner on owner.id = team.organization_id
     where team.id = ${teamId} and team.organization_id = ${organizationId}`, { deadline });
  if (row === undefined) throw notFound('team not found');
  return row;
}
