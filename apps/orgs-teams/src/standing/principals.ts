import { type Fragment, sql } from '@platform/postgres';

/**
 * SQL expression for the principals of a caller in an organization (authorization.md, invariant 1), as a JSON array of
 * `Principal`. The hidden system admin of the organization has one principal: itself. For any other caller, the
 * principals are the caller's teams in the organization, by ascending id.
 * @param caller account row of the caller: its `id` and `system_admin_of`
 * @param organization account row of the organization: its `id` and `revision`
 */
export function principalsOf(caller: Fragment, organization: Fragment): Fragment {
  return sql`
    (case when ${caller}.system_admin_of = ${organization}.id then json_build_array(json_build_object(
       'user', 'user:' || ${caller}.id, 'revision', ${organization}.revision, 'teamId', 0, 'isOwners', false,
       'pending', exists (
         select from projection_pending unit
          where unit.organization_id = ${organization}.id and unit.touches is null
       )
     )) else (
       select coalesce(json_agg(json_build_object(
                'user', 'team:' || team.id || '#member', 'revision', team.revision,
                'teamId', team.id, 'isOwners', team.is_owners,
                'pending', exists (
                  select from projection_pending unit
                   where unit.organization_id = ${organization}.id
                     and (unit.touches is null or team.id = any (unit.touches))
                )
              ) order by membership.team_id), '[]')
         from team_member membership
         join team on team.id = membership.team_id
        where membership.user_id = ${caller}.id and membership.organization_id = ${organization}.id
     ) end)`;
}
