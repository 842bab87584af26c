import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AccessTokenInfo, TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/** An access token of an organization's system admin; times in Unix seconds. */
interface AccessTokenRow {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly lastEight: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Whether the token was used within the last 7 days (open-points 1.3). */
  readonly recentlyUsed: boolean;
  readonly everUsed: boolean;
  /** 0: never. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

/** An access token as the API shows it (spec §2.2). */
function toAccessTokenInfo(row: AccessTokenRow): AccessTokenInfo {
  return {
    id: row.id, uid: row.accountId, name: row.name, scopes: [...row.scopes],
    // Only the answer to the creation of a token contains the token.
    token: '', tokenLastEight: row.lastEight,
    createdAt: row.createdAt, updatedAt: row.updatedAt, expDate: row.expiresAt,
    hasRecentActivity: row.recentlyUsed, hasUsed: row.everUsed,
  };
}

/** GET /orgs/{orgname}/tokens/access-tokens/ (spec §4.13): tokens of the organization's system admin. */
export function listAccessTokens({ config, database }: Parts): Handler<typeof TokenServiceService.listAccessTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readPage<AccessTokenRow>(database, {
      rows: sql`
        select token.id, token.account_id as "accountId", token.name, token.last_eight as "lastEight",
               extract(epoch from token.created_at)::bigint as "createdAt",
               extract(epoch from token.updated_at)::bigint as "updatedAt",
               coalesce(token.last_used_at > now() - interval '7 days', false) as "recentlyUsed",
               token.last_used_at is not null as "everUsed",
               coalesce(extract(epoch from token.expires_at)::bigint, 0) as "expiresAt", token.scopes
          from account system_admin
          join access_token token on token.account_id = system_admin.id
         where system_admin.system_admin_of = ${account.id}`,
      order: byId,
      count: sql`
        select (select count(*) from access_token token where token.account_id = system_admin.id)
          from account system_admin
         where system_admin.system_admin_of = ${account.id}`,
    }, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { tokens: listed.items.map(toAccessTokenInfo), total: listed.total, next: listed.next };
  };
}
