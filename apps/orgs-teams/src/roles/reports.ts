import { notFound } from '@platform/faults';
import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { RolePrincipal } from '@platform/proto/orgs/v1/role';
import type { Pair } from '@platform/relations';
import type { Deadline } from '@platform/service';

export interface RoleRow {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly description: string;
  /** In no particular order. */
  readonly permissions: readonly Pair[];
  /** Ascending. */
  readonly teamIds: readonly number[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type RolePrincipalRow = Omit<RolePrincipal, 'principalType' | 'principalId'> & { readonly id: number };

const columns = sql`
  role.id, role.organization_id as "organizationId", role.name, role.description,
  (select coalesce(jsonb_agg(jsonb_build_object('namespace', pair.namespace, 'action', pair.action)), '[]')
     from role_permission pair where pair.role_id = role.id) as "permissions",
  array(
    select assigned.team_id from team_role assigned where assigned.role_id = role.id order by assigned.team_id
  ) as "teamIds",
  role.created_at as "createdAt", role.updated_at as "updatedAt"`;

/** Returns a page of the roles of an organization, by ascending id. */
export async function readRoles(
  queryable: Queryable, organizationId: number, page: Page, deadline: Deadline,
): Promise<Listed<RoleRow>> {
  return (await readPage<RoleRow>(queryable, {
    rows: sql`select ${columns} from role where role.organization_id = ${organizationId}`,
    order: byId,
    count: sql`select count(*) from role where organization_id = ${organizationId}`,
  }, page, deadline))!;
}

/** @throws Fault NOT_FOUND when the organization has no such role */
export async function readRole(
  queryable: Queryable, organizationId: number, roleId: number, deadline: Deadline,
): Promise<RoleRow> {
  const row = await queryable.maybeOne(sql<RoleRow>`
    select ${columns} from role where role.id = ${roleId} and role.organization_id = ${organizationId}`, { deadline });
  if (row === undefined) throw notFound('role not found');
  return row;
}

/** Returns a page of the teams that have the role, by ascending id. Undefined if the organization has no such role. */
export function readRolePrincipals(
  queryable: Queryable, organizationId: number, roleId: number, page: Page, deadline: Deadline,
): Promise<Listed<RolePrincipalRow> | undefined> {
  return readPage<RolePrincipalRow>(queryable, {
    rows: sql`
      select team.id, team.name, team.description, team.organization_id as "organizationId",
             (select count(*) from team_member member where member.team_id = team.id) as "memberCount"
        from team_role assigned
        join team on team.id = assigned.team_id
       where assigned.role_id = ${roleId}`,
    order: byId,
    count: sql`
      select (select count(*) from team_role assigned where assigned.role_id = role.id)
        from role where role.id = ${roleId} and role.organization_id = ${organizationId}`,
  }, page, deadline);
}

export type AssignableRole = Pick<RoleRow, 'id' | 'permissions'> & { readonly teamCount: number };

/** Returns the requested roles that belong to the organization. */
export function readAssignableRoles(
  queryable: Queryable, organizationId: number, roleIds: readonly number[],
): Promise<AssignableRole[]> {
  return queryable.query(sql<AssignableRole>`
    select role.id,
           (select coalesce(jsonb_agg(jsonb_build_object('namespace', pair.namespace, 'action', pair.action)), '[]')
              from role_permission pair where pair.role_id = role.id) as "permissions",
           (select count(*) from team_role assigned where assigned.role_id = role.id) as "teamCount"
      from role
     where role.organization_id = ${organizationId} and role.id = any (${roleIds}::bigint[])`);
}

interface TeamForRoles {
  readonly id: number;
  readonly name: string;
  readonly isOwners: boolean;
  readonly roleCount: number;
}

/** Returns the requested teams that belong to the organization. */
export function readTeamsForRoles(
  queryable: Queryable, organizationId: number, teamIds: readonly number[],
): Promise<TeamForRoles[]> {
  return queryable.query(sql<TeamForRoles>`
    select team.id, team.name, team.is_owners as "isOwners",
           (select count(*) from team_role assigned where assigned.team_id = team.id) as "roleCount"
      from team
     where team.organization_id = ${organizationId} and team.id = any (${teamIds}::bigint[])`);
}
