import { pageOf } from '@platform/lists';
import type { AccessTokenInfo, TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { type AccessTokenRow, readAccessTokens } from './reports.ts';

/** An access token as the API shows it (spec §2.2). */
function toAccessTokenInfo(row: AccessTokenRow): AccessTokenInfo {
  return {
    id: row.id, uid: row.accountId, name: row.name, scopes: [...row.scopes],
    // The token was shown once, when it was made; only its hash is stored.
    token: '', tokenLastEight: row.lastEight,
    createdAt: row.createdAt, updatedAt: row.updatedAt, expDate: row.expiresAt,
    hasRecentActivity: row.recentlyUsed, hasUsed: row.everUsed,
  };
}

/** GET /orgs/{orgname}/tokens/access-tokens/ (spec §4.13): tokens of the organization's system admin. */
export function listAccessTokens({ config, database }: Parts): Handler<typeof TokenServiceService.listAccessTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readAccessTokens(database, account.id, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { tokens: listed.items.map(toAccessTokenInfo), total: listed.total, next: listed.next };
  };
}
