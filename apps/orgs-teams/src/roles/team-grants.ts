import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import { type GrantedRelation, relationsOfPair, relationsOfRight, type TeamPermission } from '@platform/relations';

/** A team with the rights that its permission and its roles give to members. */
export interface TeamGrants {
  readonly teamId: number;
  readonly isOwners: boolean;
  readonly granted: readonly GrantedRelation[];
}

interface Row {
  readonly isOwners: boolean;
  readonly permission: TeamPermission;
  readonly pairs: readonly { namespace: string; action: string }[];
}

/**
 * Returns undefined when the organization has no such team. The result stays valid while the caller holds a lock of the
 * team.
 */
export async function readTeamGrants(
  queryable: Queryable,
  organizationId: number,
  teamId: number,
): Promise<TeamGrants | undefined> {
  const team = await queryable.maybeOne(sql<Row>`
    select is_owners as "isOwners", permission,
           (select coalesce(jsonb_agg(distinct jsonb_build_object('namespace', namespace, 'action', action)), '[]')
              from team_role join role_permission using (role_id)
             where team_role.team_id = team.id) as "pairs"
      from team
     where id = ${teamId} and organization_id = ${organizationId}`);
  if (team === undefined) return undefined;
  const granted = [
    ...relationsOfRight(team.permission),
    ...team.pairs.flatMap(({ namespace, action }) => relationsOfPair(namespace, action)),
  ];
  return { teamId, isOwners: team.isOwners, granted };
}
