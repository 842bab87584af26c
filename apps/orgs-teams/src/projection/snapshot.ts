import type { Database, Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Structure } from './relations.ts';
import { parseUnit, type Unit } from './unit.ts';

/** One row of projection_pending. */
export interface PendingUnit {
  readonly id: number;
  readonly unit: string;
}

/** What S2 sees of an organization, in one state of the rows. */
export interface Snapshot {
  /** Rows to delete once it is written, oldest first. */
  readonly pending: readonly PendingUnit[];
  /** Each unit that is pending, once. */
  readonly units: readonly Unit[];
  /** The rows behind these units. */
  readonly structure: Structure;
  /** Shape of the tuples that the schema asks for. */
  readonly shape: number;
}

/** The oldest units of an organization, or one of them. */
export type Pick = { readonly oldest: number } | { readonly only: number };

/** Step S2: one REPEATABLE READ snapshot on the primary of units and rows (authorization.md). */
export function takeSnapshot(
  database: Database,
  organizationId: number,
  pick: Pick,
  deadline: Deadline,
): Promise<Snapshot> {
  return database.transact(
    async (transaction) => {
      const pending = await transaction.query('only' in pick
        ? sql<PendingUnit>`select id, unit from projection_pending where id = ${pick.only}`
        : sql<PendingUnit>`
            select id, unit from projection_pending
             where organization_id = ${organizationId} order by id limit ${pick.oldest}`);
      const { shape } = await transaction.one(sql<{ shape: number }>`select version as "shape" from projection_shape`);
      const units = [...new Set(pending.map(({ unit }) => unit))].map(parseUnit);
      return { pending, units, shape, structure: await readStructure(transaction, organizationId, units) };
    },
    { isolation: 'repeatable read', readOnly: true, deadline },
  );
}

/** The rows behind some units of an organization; `[{ kind: 'all' }]` for all there are. */
export async function readStructure(
  queryable: Queryable,
  organizationId: number,
  units: readonly Unit[],
): Promise<Structure> {
  const all = units.some(({ kind }) => kind === 'all');
  const teamIds = units.flatMap((unit) => (unit.kind === 'team' ? [unit.teamId] : []));
  const roleIds = units.flatMap((unit) => (unit.kind === 'role' ? [unit.roleId] : []));
  const assigned = units.flatMap((unit) => (unit.kind === 'assignment' ? [unit] : []));

  const own = await queryable.query(sql<Structure['own'][number]>`
    select org_type = 6 as "administrative", system_admin.id as "systemAdminId"
      from organization
      left join account system_admin on system_admin.system_admin_of = organization.id
     where organization.id = ${organizationId}`);
  const teams = all || teamIds.length > 0
    ? await queryable.query(sql<Structure['teams'][number]>`
        select id, permission from team
         where organization_id = ${organizationId} and (${all} or id = any (${teamIds}::bigint[]))`)
    : [];
  const roleIdsThere = all
    ? (await queryable.query(sql<{ id: number }>`select id from role where organization_id = ${organizationId}`)).map(({ id }) => id)
    : [];
  const pairs = all || roleIds.length > 0
    ? await queryable.query(sql<Structure['pairs'][number]>`
        select role_id as "roleId", namespace, action from role_permission
         where organization_id = ${organizationId}
           and role_id = any (${all ? roleIdsThere : roleIds}::bigint[])`)
    : [];
  const assignments = all || assigned.length > 0
    ? await queryable.query(sql<Structure['assignments'][number]>`
        select role_id as "roleId", team_id as "teamId" from team_role
         where organization_id = ${organizationId}
           and ${all ? sql`role_id = any (${roleIdsThere}::bigint[])` : sql`(role_id, team_id) in (
             select * from unnest(
               ${assigned.map(({ roleId }) => roleId)}::bigint[], ${assigned.map(({ teamId }) => teamId)}::bigint[]
             )
           )`}`)
    : [];
  const ownAsked = all || units.some(({ kind }) => kind === 'organization');
  return { exists: own.length > 0, own: ownAsked ? own : [], roleIds: roleIdsThere, teams, pairs, assignments };
}
