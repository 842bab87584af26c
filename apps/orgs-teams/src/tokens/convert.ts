import type { AccessTokenInfo } from '@platform/proto/orgs/v1/token';
import type { AccessTokenRow } from './reports.ts';

/** An access token as the API shows it (spec §2.2). */
export function toAccessTokenInfo(row: AccessTokenRow): AccessTokenInfo {
  return {
    id: row.id,
    uid: row.accountId,
    name: row.name,
    // Shown once, when it was made; only its hash is stored.
    token: '',
    tokenLastEight: row.lastEight,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    hasRecentActivity: row.recentlyUsed,
    hasUsed: row.everUsed,
    expDate: row.expiresAt,
  };
}
