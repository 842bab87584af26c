import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Structure, Unit } from './relations.ts';

/** One state of the rows of an organization, read by one statement. */
interface Snapshot {
  readonly structure: Structure;
  /** The `shapeVersion` that the database requires (the table `projection_shape`). */
  readonly shape: number;
  /** Whether a row of `projection_pending` with one of the requested ids still exists. */
  readonly waits: boolean;
}

interface SnapshotRow extends Omit<Structure, 'exists' | 'own'>, Omit<Snapshot, 'structure'> {
  /** Null if the organization was deleted. */
  readonly own: Structure['own'][number] | null;
}

/** Step S2 (authorization.md): reads one state of the rows on the primary. */
export async function takeSnapshot(
  database: Database,
  asked: { readonly organizationId: number; readonly units: readonly Unit[]; readonly pending?: readonly number[] },
  deadline: Deadline,
): Promise<Snapshot> {
  const { organizationId, units, pending = [] } = asked;
  const all = units.some(({ kind }) => kind === 'all');
  const withOwn = all || units.some(({ kind }) => kind === 'organization');
  const teamIds = units.flatMap((unit) => (unit.kind === 'team' ? [unit.teamId] : []));
  const roleIds = units.flatMap((unit) => (unit.kind === 'role' ? [unit.roleId] : []));
  const assigned = units.flatMap((unit) => (unit.kind === 'assignment' ? [unit] : []));
  const allRoles = sql`select id from role where organization_id = ${organizationId}`;
  const ofRoles = sql`role_id in (${allRoles})`;
  // Read the whole organization and single units with different statements. PostgreSQL may use one plan for all
  // parameter values of a statement.
  const [ofTeams, ofPairs, ofAssignments] = all
    ? [sql`organization_id = ${organizationId}`, ofRoles, ofRoles]
    : [
      // Do not also filter by organization: PostgreSQL might then read all teams of the organization.
      sql`id = any (${teamIds}::bigint[])`,
      sql`role_id = any (${roleIds}::bigint[])`,
      sql`(role_id, team_id) in (
        select * from unnest(
          ${assigned.map(({ roleId }) => roleId)}::bigint[], ${assigned.map(({ teamId }) => teamId)}::bigint[]
        ))`,
    ];
  const { shape, waits, own, ...structure } = await database.one(sql<SnapshotRow>`
    select (select version from projection_shape) as "shape",
           exists (select from projection_pending where id = any (${pending}::bigint[])) as "waits",
           (select json_build_object('administrative', org_type = 6, 'systemAdminId', system_admin.id)
              from organization
              left join account system_admin on system_admin.system_admin_of = organization.id
             where organization.id = ${organizationId}) as "own",
           (select coalesce(json_agg(json_build_object('id', id, 'permission', permission)), '[]')
              from team where ${ofTeams}) as "teams",
           (select coalesce(json_agg(json_build_object('roleId', role_id, 'namespace', namespace, 'action', action)), '[]')
              from role_permission where organization_id = ${organizationId} and ${ofPairs}) as "pairs",
           (select coalesce(json_agg(json_build_object('roleId', role_id, 'teamId', team_id)), '[]')
              from team_role where organization_id = ${organizationId} and ${ofAssignments}) as "assignments",
           array(${all ? allRoles : sql`select null::bigint where false`}) as "roleIds"`,
  { deadline });
  const exists = own !== null;
  return { shape, waits, structure: { ...structure, exists, own: withOwn && exists ? [own] : [] } };
}
