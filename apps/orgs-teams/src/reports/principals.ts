import type { Fragment } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** One principal as {@link principalsOf} puts it into JSON. */
export interface PrincipalRow {
  readonly user: string;
  readonly revision: string;
  readonly pending: boolean;
  readonly teamId: number;
  readonly isOwners: boolean;
}

/**
 * The principals of a caller in an organization (authorization.md, invariant 1): his teams there by ascending id, then
 * the hidden system admin when the caller is it. A JSON array, empty for a stranger.
 *
 * @param caller account row of the caller: its `id` and `system_admin_of`
 * @param organization account row of the organization: its `id` and `revision`
 */
export function principalsOf(caller: Fragment, organization: Fragment): Fragment {
  return sql`
    (select coalesce(json_agg(json_build_object(
              'user', principal.name, 'revision', principal.revision, 'pending', principal.pending,
              'teamId', principal.team_id, 'isOwners', principal.is_owners
            ) order by principal.team_id = 0, principal.team_id), '[]')
       from (
         select 'team:' || team.id || '#member', team.revision, team.id, team.is_owners,
                exists (
                  select from projection_pending unit
                   where unit.organization_id = ${organization}.id
                     and (unit.touches is null or team.id = any (unit.touches))
                )
           from team_member membership
           join team on team.id = membership.team_id
          where membership.user_id = ${caller}.id and membership.organization_id = ${organization}.id
          union all
         select 'user:' || ${caller}.id, ${organization}.revision, 0, false,
                exists (
                  select from projection_pending unit
                   where unit.organization_id = ${organization}.id and unit.touches is null
                )
          where ${caller}.system_admin_of = ${organization}.id
       ) principal (name, revision, team_id, is_owners, pending))`;
}
