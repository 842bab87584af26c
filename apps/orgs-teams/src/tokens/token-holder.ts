import { type Queryable, sql } from '@platform/postgres';
import { slugKey } from '@platform/values';

/** The account that holds a token: a user, or the hidden system admin of an organization. */
export interface TokenHolder {
  readonly accountId: number;
  readonly accountKind: 'person' | 'system_admin';
  readonly organizationId: number | null;
}

/** Finds the holder by the name of the user or organization, ignoring case; undefined if there is none. */
export async function findTokenHolder(
  queryable: Queryable, kind: 'person' | 'organization', name: string,
): Promise<TokenHolder | undefined> {
  const key = slugKey(name);
  if (key === undefined) return undefined;
  return kind === 'person'
    ? queryable.maybeOne(sql<TokenHolder>`
        select id as "accountId", kind as "accountKind", null as "organizationId"
          from account where lower(name collate "C") = ${key} and kind = 'person'`)
    : queryable.maybeOne(sql<TokenHolder>`
        select system_admin.id as "accountId", system_admin.kind as "accountKind", organization.id as "organizationId"
          from account organization
          join account system_admin on system_admin.system_admin_of = organization.id
         where lower(organization.name collate "C") = ${key}`);
}
