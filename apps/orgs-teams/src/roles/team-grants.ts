import { type Queryable, sql } from '@platform/postgres';
import { type GrantedRelation, type Pair, relationsOfRight, type TeamPermission } from '@platform/relations';
import { grants } from './what-is-added.ts';

/**
 * A team, and the relations that its permission and its roles grant to members. A relation is left out if no permission
 * of custom roles grants it (open-points 2.7).
 */
interface TeamGrants {
  readonly isOwners: boolean;
  readonly granted: readonly GrantedRelation[];
}

/** Reads a team with its granted relations; undefined if the organization has no such team. */
export async function readTeamGrants(
  queryable: Queryable, organizationId: number, teamId: number,
): Promise<TeamGrants | undefined> {
  const team = await queryable.maybeOne(sql<{ isOwners: boolean; permission: TeamPermission; pairs: Pair[] }>`
    select is_owners as "isOwners", permission,
           (select coalesce(jsonb_agg(distinct jsonb_build_object('namespace', namespace, 'action', action)), '[]')
              from team_role join role_permission using (role_id)
             where team_role.team_id = team.id) as "pairs"
      from team
     where id = ${teamId} and organization_id = ${organizationId}`);
  if (team === undefined) return undefined;
  return { isOwners: team.isOwners, granted: [...relationsOfRight(team.permission), ...team.pairs.flatMap(grants)] };
}
