import type { AccessTokenInfo, BusAccount } from '@platform/proto/orgs/v1/token';
import type { AccessTokenRow } from './reports.ts';
import type { BusUserRow } from '../bus/reports.ts';

/** An access token as the API shows it (spec §2.2). */
export function toAccessTokenInfo(row: AccessTokenRow): AccessTokenInfo {
  return {
    id: row.id,
    uid: row.accountId,
    name: row.name,
    // Shown once, when it was made; nobody has it now.
    token: '',
    tokenLastEight: row.lastEight,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    hasRecentActivity: row.recentlyUsed,
    hasUsed: row.everUsed,
    expDate: row.expiresAt,
  };
}

/** A bus account as the API shows it (spec §2.2, open-points 3.4). */
export function toBusAccount(row: BusUserRow): BusAccount {
  return {
    id: row.id,
    uid: row.accountId,
    accountType: 'user',
    busPubKey: row.publicKey,
    clusterId: row.clusterId,
    productName: row.productName,
    revoked: row.revoked,
  };
}
