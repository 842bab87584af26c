import { type Queryable, sql } from '@platform/postgres';
import type { Pair } from '@platform/relations';
import type { RoleRow } from './reports.ts';
import { namedOnce } from './structure-names.ts';

// Callers of the functions in this file must hold `lock.structure` of the organization (authorization.md W1).

type NamedRole = Pick<RoleRow, 'name' | 'description'>;

/**
 * Inserts a role without permissions and returns its id; undefined when the organization is gone.
 * @throws Fault ALREADY_EXISTS when the name is taken in the organization, ignoring case
 */
export async function insertRole(
  queryable: Queryable, organizationId: number, { name, description }: NamedRole,
): Promise<number | undefined> {
  const inserted = await namedOnce('role_name', name, () => queryable.maybeOne(sql<{ id: number }>`
    insert into role (organization_id, name, description)
    select id, ${name}, ${description} from organization where id = ${organizationId}
    returning id`));
  return inserted?.id;
}

/** Updates a role's name and description. @throws Fault ALREADY_EXISTS when the name is taken, ignoring case */
export async function updateRoleRow(
  queryable: Queryable, roleId: number, { name, description }: NamedRole,
): Promise<void> {
  await namedOnce('role_name', name, () => queryable.execute(sql`
    update role set name = ${name}, description = ${description}, updated_at = now() where id = ${roleId}`));
}

export async function insertPairs(
  queryable: Queryable, organizationId: number, roleId: number, pairs: readonly Pair[],
): Promise<void> {
  if (pairs.length === 0) return;
  await queryable.execute(sql`
    insert into role_permission (role_id, organization_id, namespace, action)
    select ${roleId}::bigint, ${organizationId}::bigint, namespace, action
      from unnest(
        ${pairs.map(({ namespace }) => namespace)}::text[], ${pairs.map(({ action }) => action)}::text[]
      ) as pair (namespace, action)`);
}

export async function deletePairs(queryable: Queryable, roleId: number, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await queryable.execute(sql`
    delete from role_permission
     where role_id = ${roleId}
       and (namespace, action) in (
         select * from unnest(
           ${pairs.map(({ namespace }) => namespace)}::text[], ${pairs.map(({ action }) => action)}::text[]
         )
       )`);
}

interface Assignment {
  readonly roleId: number;
  readonly teamId: number;
}

export async function insertAssignments(
  queryable: Queryable, organizationId: number, assignments: readonly Assignment[],
): Promise<void> {
  if (assignments.length === 0) return;
  await queryable.execute(sql`
    insert into team_role (role_id, team_id, organization_id)
    select role_id, team_id, ${organizationId}::bigint
      from unnest(
        ${assignments.map(({ roleId }) => roleId)}::bigint[], ${assignments.map(({ teamId }) => teamId)}::bigint[]
      ) as assignment (role_id, team_id)`);
}

export async function deleteAssignments(queryable: Queryable, assignments: readonly Assignment[]): Promise<void> {
  if (assignments.length === 0) return;
  await queryable.execute(sql`
    delete from team_role
     where (role_id, team_id) in (
       select * from unnest(
         ${assignments.map(({ roleId }) => roleId)}::bigint[], ${assignments.map(({ teamId }) => teamId)}::bigint[]
       )
     )`);
}
