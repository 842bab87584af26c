import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** What decides whether an account may create organizations (open-points 3.1). */
export interface CreationRights {
  readonly isAdmin: boolean;
  readonly mayCreateOrganization: boolean;
  readonly clientOrganizationUser: boolean;
  readonly isSystemAdmin: boolean;
}

/** Undefined for an account that is gone. */
export async function readCreationRights(
  queryable: Queryable,
  accountId: number,
  deadline: Deadline,
): Promise<CreationRights | undefined> {
  return queryable.maybeOne(sql<CreationRights>`
    select is_admin as "isAdmin", allow_create_organization as "mayCreateOrganization",
           kind = 'system_admin' as "isSystemAdmin",
           exists (
             select from team_member membership
               join organization client on client.id = membership.organization_id and client.org_type = 2
              where membership.user_id = account.id
           ) as "clientOrganizationUser"
      from account where id = ${accountId}`, { deadline });
}
