import { type Database, type Queryable, sql } from '@platform/postgres';
import { type GuardSources, objectsById, type ObjectSource } from '@platform/rpc';
import type { Deadline } from '@platform/service';

/** The owner of one of this service's objects (authorization.md R2). */
interface ObjectOwnerRow {
  readonly id: number;
  readonly ownerId: number;
  /** The id of the team itself, if the object is a team; otherwise null. */
  readonly teamId: number | null;
  readonly isOwnersTeam: boolean;
}

/**
 * For each type, the query for the owners of objects. A token of a hidden system admin belongs to the admin's
 * organization.
 */
const owners = {
  team: (ids: readonly number[]) => sql<ObjectOwnerRow>`
    select id, organization_id as "ownerId", id as "teamId", is_owners as "isOwnersTeam" from team
     where id = any (${ids}::bigint[])`,
  role: (ids: readonly number[]) => sql<ObjectOwnerRow>`
    select id, organization_id as "ownerId", null as "teamId", false as "isOwnersTeam" from role
     where id = any (${ids}::bigint[])`,
  token: (ids: readonly number[]) => sql<ObjectOwnerRow>`
    select token.id, coalesce(account.system_admin_of, account.id) as "ownerId", null as "teamId", false as "isOwnersTeam"
      from access_token token join account on account.id = token.account_id
     where token.id = any (${ids}::bigint[])`,
  robot_ac: (ids: readonly number[]) => sql<ObjectOwnerRow>`
    select id, system_admin_of as "ownerId", null as "teamId", false as "isOwnersTeam" from account
     where system_admin_of is not null and id = any (${ids}::bigint[])`,
};

type OwnedType = keyof typeof owners;

export function isOwnedType(type: string): type is OwnedType {
  return Object.hasOwn(owners, type);
}

/** Reads the owners of objects in one statement. Objects that do not exist are left out. */
export async function readObjectOwners(
  queryable: Queryable, type: OwnedType, objectIds: readonly number[], deadline: Deadline,
): Promise<ObjectOwnerRow[]> {
  return queryable.query(owners[type](objectIds), { deadline });
}

/**
 * Returns, for each type of object, how the guard of this service reads the owners of objects (authorization.md R2).
 */
export function objectSources(database: Database): GuardSources['objects'] {
  const source = (type: OwnedType): ObjectSource =>
    objectsById(async (ids, { deadline }) => {
      const rows = await readObjectOwners(database, type, ids, deadline);
      return new Map(rows.map(({ id, ownerId, teamId, isOwnersTeam }) => [
        id, teamId === null ? { ownerId } : { ownerId, teamId, isOwnersTeam },
      ]));
    });
  return { team: source('team'), role: source('role'), token: source('token'), robot_ac: source('robot_ac') };
}
