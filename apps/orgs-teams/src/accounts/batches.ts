import { type Queryable, sql } from '@platform/postgres';
import type { TeamPermission } from '@platform/relations';
import { conflict, nameTaken } from '@platform/values';
import type { Membership } from './members.ts';
import { type NewOrganization, firstTeamRows } from './organizations.ts';
import type { NewPerson } from './people.ts';

/** The id and the name of an account or a team that a batch has added or found. */
interface Added {
  readonly id: number;
  readonly name: string;
}

interface Named extends Added {
  readonly kind: 'person' | 'organization' | 'system_admin';
}

/**
 * Inserts the users whose names are free. The order by name prevents deadlocks between concurrent batches. Without the
 * condition `not exists`, a taken name would use up an id of the sequence.
 */
export function insertMissingPeople(
  queryable: Queryable, people: readonly Pick<NewPerson, 'name' | 'email' | 'fullName'>[],
): Promise<Added[]> {
  return queryable.query(sql<Added>`
    insert into account (kind, name, email, full_name)
    select 'person', given.name, given.email, given."fullName"
      from jsonb_to_recordset(${sql.json(people)}::jsonb) as given (name text, email text, "fullName" text)
     where not exists (
       select from account known where lower(known.name collate "C") = lower(given.name collate "C")
     )
     order by lower(given.name collate "C")
    on conflict do nothing
    returning id, name`);
}

/** An organization to insert. Columns without a field in this type get their defaults. */
export type OrganizationOfBatch = Pick<NewOrganization, 'name' | 'fullName' | 'description'> & { ownerId: number };

/**
 * Inserts the organizations whose names are free, ordered by name as in {@link insertMissingPeople}. Each organization
 * gets a hidden system admin, the first teams and the given owner (open-points 3.1).
 */
export async function insertMissingOrganizations(
  queryable: Queryable, organizations: readonly OrganizationOfBatch[],
): Promise<(Added & { ownerId: number })[]> {
  const accounts = await queryable.query(sql<Added>`
    insert into account (kind, name, full_name, description)
    select 'organization', given.name, given."fullName", given.description
      from jsonb_to_recordset(${sql.json(organizations)}::jsonb)
        as given (name text, "fullName" text, description text)
     where not exists (
       select from account known where lower(known.name collate "C") = lower(given.name collate "C")
     )
     order by lower(given.name collate "C")
    on conflict do nothing
    returning id, name`);
  if (accounts.length === 0) return [];
  const ownerOf = new Map(organizations.map(({ name, ownerId }) => [name, ownerId]));
  const added = accounts.map((account) => ({ ...account, ownerId: ownerOf.get(account.name)! }));
  const ids = added.map(({ id }) => id);
  await queryable.execute(sql`insert into organization (id) select * from unnest(${ids}::bigint[])`);
  await queryable.execute(sql`
    insert into account (kind, name, system_admin_of, allow_create_organization)
    select 'system_admin', 'org-' || id || '-system', id, false from unnest(${ids}::bigint[]) as id`);
  await queryable.execute(sql`
    insert into team (organization_id, name, description, permission, is_owners)
    select organization_id, name, description, permission, is_owners
      from unnest(${ids}::bigint[]) with ordinality as organization (organization_id, place)
     cross join rows from (
             jsonb_to_recordset(${firstTeamRows}::jsonb)
               as (name text, description text, permission text, is_owners boolean)
           ) with ordinality as first (name, description, permission, is_owners, place)
     order by organization.place, first.place`);
  await queryable.execute(sql`
    insert into team_member (team_id, user_id, organization_id)
    select team.id, given.owner_id, team.organization_id
      from unnest(${ids}::bigint[], ${added.map(({ ownerId }) => ownerId)}::bigint[]) as given (id, owner_id)
      join team on team.organization_id = given.id and team.is_owners`);
  return added;
}

/** Returns the accounts with these names, ignoring case, in no particular order. */
export function findNamed(queryable: Queryable, names: readonly string[]): Promise<Named[]> {
  return queryable.query(sql<Named>`
    select id, name, kind from account
     where lower(name collate "C") in (select lower(name collate "C") from unnest(${names}::text[]) as given (name))`);
}

/**
 * Returns the ids of the accounts with these names, in the order of `names`. Call it after inserting the missing
 * accounts.
 * @throws Fault ALREADY_EXISTS for an account of another kind, CONFLICT for an account that was just deleted
 */
export async function idsOfNames(
  queryable: Queryable, kind: Named['kind'], names: readonly string[],
): Promise<number[]> {
  const found = new Map((await findNamed(queryable, names)).map((account) => [account.name.toLowerCase(), account]));
  return names.map((name) => {
    const account = found.get(name.toLowerCase());
    if (account === undefined) throw conflict(`${name} was deleted in the meantime, try again`);
    if (account.kind !== kind) throw nameTaken(name);
    return account.id;
  });
}

export interface TeamOfBatch {
  readonly name: string;
  readonly description: string;
  readonly permission: TeamPermission;
}

/** Inserts the missing teams of an organization. The caller must hold the lock of the organization's structure. */
export function insertMissingTeams(
  queryable: Queryable, organizationId: number, teams: readonly TeamOfBatch[],
): Promise<Added[]> {
  return queryable.query(sql<Added>`
    insert into team (organization_id, name, description, permission)
    select ${organizationId}::bigint, given.name, given.description, given.permission
      from rows from (
             jsonb_to_recordset(${sql.json(teams)}::jsonb) as (name text, description text, permission text)
           ) with ordinality as given (name, description, permission, place)
     where not exists (
       select from team known
        where known.organization_id = ${organizationId}::bigint
          and lower(known.name collate "C") = lower(given.name collate "C")
     )
     order by given.place
    returning id, name`);
}

/** Returns the teams of an organization with these names, ignoring case, in no particular order. */
export function findTeamsNamed(
  queryable: Queryable, organizationId: number, names: readonly string[],
): Promise<Added[]> {
  return queryable.query(sql<Added>`
    select id, name from team
     where organization_id = ${organizationId}
       and lower(name collate "C") in (select lower(name collate "C") from unnest(${names}::text[]) as given (name))`);
}

type Placement = Omit<Membership, 'organizationId'>;

/** Adds users to teams of an organization and returns the memberships that are new. Teams and users must exist. */
export function insertMissingMembers(
  queryable: Queryable, organizationId: number, placements: readonly Placement[],
): Promise<Placement[]> {
  return queryable.query(sql<Placement>`
    insert into team_member (team_id, user_id, organization_id)
    select team_id, user_id, ${organizationId}::bigint
      from unnest(
        ${placements.map(({ teamId }) => teamId)}::bigint[], ${placements.map(({ userId }) => userId)}::bigint[]
      ) as given (team_id, user_id)
     order by team_id, user_id
    on conflict do nothing
    returning team_id as "teamId", user_id as "userId"`);
}

/** Returns the given ids that belong to active users. */
export async function findPeople(queryable: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from account where kind = 'person' and active and id = any (${ids}::bigint[])`);
  return rows.map(({ id }) => id);
}

/** Returns the given ids that belong to teams of the organization. */
export async function findTeams(
  queryable: Queryable, organizationId: number, ids: readonly number[],
): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from team where organization_id = ${organizationId} and id = any (${ids}::bigint[])`);
  return rows.map(({ id }) => id);
}
