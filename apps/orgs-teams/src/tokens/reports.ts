import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** An access token of an organization's system admin; times in unix seconds. */
export interface AccessTokenRow {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly lastEight: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Used within the last 7 days (open-points 1.3). */
  readonly recentlyUsed: boolean;
  readonly everUsed: boolean;
  /** 0: never. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

/** The access tokens of an organization's system admin by ascending id; undefined when there is no such account. */
export async function readAccessTokens(
  queryable: Queryable, organizationId: number, page: Page, deadline: Deadline,
): Promise<Listed<AccessTokenRow> | undefined> {
  return readPage<AccessTokenRow>(queryable, {
    rows: sql`
      select token.id, token.account_id as "accountId", token.name, token.last_eight as "lastEight",
             extract(epoch from token.created_at)::bigint as "createdAt",
             extract(epoch from token.updated_at)::bigint as "updatedAt",
             coalesce(token.last_used_at > now() - interval '7 days', false) as "recentlyUsed",
             token.last_used_at is not null as "everUsed",
             coalesce(extract(epoch from token.expires_at)::bigint, 0) as "expiresAt", token.scopes
        from account system_admin
        join access_token token on token.account_id = system_admin.id
       where system_admin.system_admin_of = ${organizationId}`,
    order: byId,
    count: sql`
      select (select count(*) from access_token token where token.account_id = system_admin.id)
        from account system_admin
       where system_admin.system_admin_of = ${organizationId}`,
  }, page, deadline);
}
