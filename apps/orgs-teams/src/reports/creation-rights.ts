import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** What decides whether an account may create organizations (open-points 3.1), as a write reads it under its lock. */
export interface CreationRights {
  readonly isAdmin: boolean;
  readonly mayCreateOrganization: boolean;
  readonly clientOrganizationUser: boolean;
  readonly isSystemAdmin: boolean;
}

export async function readCreationRights(queryable: Queryable, accountId: number): Promise<CreationRights> {
  return queryable.one(sql<CreationRights>`
    select is_admin as "isAdmin", allow_create_organization as "mayCreateOrganization",
           kind = 'system_admin' as "isSystemAdmin",
           exists (
             select from team_member membership
               join organization client on client.id = membership.organization_id and client.org_type = 2
              where membership.user_id = account.id
           ) as "clientOrganizationUser"
      from account where id = ${accountId}`);
}
