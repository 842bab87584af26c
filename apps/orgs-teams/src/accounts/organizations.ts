import { type Queryable, sql } from '@platform/postgres';
import type { TeamPermission } from '@platform/relations';
import { systemAdminNameOf } from '@platform/values';
import { insertMember } from './members.ts';
import { namedOnce } from './people.ts';
import type { OrganizationRow } from './read-organization.ts';

export type NewOrganization = Omit<OrganizationRow, 'id' | 'avatar'>;

const firstTeams: readonly { name: string; permission: TeamPermission; is_owners: boolean; description: string }[] = [
  { name: 'Owners', permission: 'owner', is_owners: true, description: 'May do everything in the organization.' },
  { name: 'Editors', permission: 'write', is_owners: false, description: 'May change what the organization has.' },
  { name: 'Viewers', permission: 'read', is_owners: false, description: 'May see what the organization has.' },
];

/** The teams that every new organization has (open-points 3.1), as rows for `jsonb_to_recordset`. */
export const firstTeamRows = sql.json(firstTeams);

/**
 * Inserts an organization with its hidden system admin and its first teams.
 * @param owner the only member of the team Owners (not a public member); undefined if the first owner is added later
 * @throws Fault ALREADY_EXISTS when the name is taken
 */
export async function insertOrganization(
  queryable: Queryable, organization: NewOrganization, owner?: number,
): Promise<{ readonly id: number; readonly ownersTeamId: number }> {
  const { id } = await namedOnce(organization.name, () => queryable.one(sql<{ id: number }>`
      insert into account (kind, name, full_name, description, website, location)
      values (
        'organization', ${organization.name}, ${organization.fullName}, ${organization.description},
        ${organization.website}, ${organization.location}
      )
      returning id`));
  await queryable.execute(sql`
    insert into organization (id, visibility, org_type, manager_endpoint)
    values (${id}, ${organization.visibility}, ${organization.orgType}, ${organization.managerEndpoint})`);
  await queryable.execute(sql`
    insert into account (kind, name, system_admin_of, allow_create_organization)
    values ('system_admin', ${systemAdminNameOf(id)}, ${id}, false)`);
  const { id: ownersTeamId } = await queryable.one(sql<{ id: number }>`
    with inserted as (
      insert into team (organization_id, name, description, permission, is_owners)
      select ${id}, name, description, permission, is_owners
        from jsonb_to_recordset(${firstTeamRows}::jsonb)
          as first (name text, description text, permission text, is_owners boolean)
      returning id, is_owners
    )
    select id from inserted where is_owners`);
  if (owner !== undefined) await insertMember(queryable, { organizationId: id, teamId: ownersTeamId, userId: owner });
  return { id, ownersTeamId };
}

export async function updateOrganization(
  queryable: Queryable, organization: Omit<NewOrganization, 'name'> & { readonly id: number },
): Promise<void> {
  const { id, fullName, description, website, location, visibility, orgType, managerEndpoint } = organization;
  await queryable.execute(sql`
    update account
       set full_name = ${fullName}, description = ${description}, website = ${website}, location = ${location},
           updated_at = now()
     where id = ${id}`);
  await queryable.execute(sql`
    update organization
       set visibility = ${visibility}, org_type = ${orgType}, manager_endpoint = ${managerEndpoint}
     where id = ${id}`);
}
