import { type Queryable, sql } from '@platform/postgres';
import type { Principal } from '@platform/proto/orgs/v1/identity';
import type { Pair, TeamPermission } from '@platform/relations';
import type { Deadline } from '@platform/service';
import { principalsOf } from './principals.ts';

/** A team that the account is in, with the permission and the roles that give the team its rights. */
interface ExplainedTeamRow {
  readonly id: number;
  readonly name: string;
  readonly permission: TeamPermission;
  readonly roles: readonly { readonly id: number; readonly name: string; readonly pairs: readonly Pair[] }[];
}

/** The principals and teams of an account in `owner`. `owner` is an organization or a user. */
export interface ExplainedStandingRow {
  readonly owner: { readonly id: number; readonly name: string; readonly kind: 'person' | 'organization' };
  readonly administrative: boolean;
  /** The account's principals in `owner`. Empty if `owner` is a user. */
  readonly principals: readonly Principal[];
  /** The teams among the principals, by ascending id. */
  readonly teams: readonly ExplainedTeamRow[];
}

/**
 * Reads a standing in one statement, so that all values belong to one state of the rows. Undefined if one of the
 * accounts does not exist.
 */
export async function readExplainedStanding(
  queryable: Queryable, accountId: number, ownerId: number, deadline: Deadline,
): Promise<ExplainedStandingRow | undefined> {
  return queryable.maybeOne(sql<ExplainedStandingRow>`
    select jsonb_build_object('id', owner.id, 'name', owner.name, 'kind', owner.kind) as "owner",
           coalesce(organization.org_type = 6, false) as "administrative",
           ${principalsOf(sql`caller`, sql`owner`)} as "principals",
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', team.id, 'name', team.name, 'permission', team.permission, 'roles', (
                       select coalesce(jsonb_agg(jsonb_build_object('id', role.id, 'name', role.name, 'pairs', (
                                select coalesce(jsonb_agg(jsonb_build_object(
                                         'namespace', pair.namespace, 'action', pair.action
                                       ) order by pair.namespace, pair.action), '[]')
                                  from role_permission pair where pair.role_id = role.id
                              )) order by role.id), '[]')
                         from team_role assigned join role on role.id = assigned.role_id
                        where assigned.team_id = team.id
                     )
                   ) order by team.id), '[]')
              from team_member membership join team on team.id = membership.team_id
             where membership.user_id = caller.id and membership.organization_id = owner.id) as "teams"
      from account caller
      join account owner on owner.id = ${ownerId}
      left join organization on organization.id = owner.id
     where caller.id = ${accountId}`, { deadline });
}
