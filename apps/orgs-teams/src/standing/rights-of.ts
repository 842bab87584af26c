import type { Fragment } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** A `RightsRow` as JSON, of the account in the row that `account` names. */
export function rightsOf(account: Fragment): Fragment {
  return sql`json_build_object(
    'kind', ${account}.kind, 'isAdmin', ${account}.is_admin,
    'mayCreateOrganization', ${account}.allow_create_organization,
    'isClientOrganizationUser', exists (
      select from team_member membership
        join organization client on client.id = membership.organization_id and client.org_type = 2
       where membership.user_id = ${account}.id
    )
  )`;
}
