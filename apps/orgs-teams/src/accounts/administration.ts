import { type Queryable, sql } from '@platform/postgres';

/** The administrative organization and its team Owners, which has every site admin as a member (open-points 1.10). */
export interface Administration {
  readonly organizationId: number;
  readonly slug: string;
  readonly ownersTeamId: number;
}

/** Finds the administrative organization; undefined until the first start has created it. Its ids never change. */
export async function findAdministration(queryable: Queryable): Promise<Administration | undefined> {
  return queryable.maybeOne(sql<Administration>`
    select organization.id as "organizationId", account.name as "slug", team.id as "ownersTeamId"
      from organization
      join account on account.id = organization.id
      join team on team.organization_id = organization.id and team.is_owners
     where organization.org_type = 6`);
}

/** Like {@link findAdministration}, but throws an Error before the first start has created the organization. */
export async function readAdministration(queryable: Queryable): Promise<Administration> {
  const administration = await findAdministration(queryable);
  if (administration === undefined) throw new Error('there is no administrative organization');
  return administration;
}
