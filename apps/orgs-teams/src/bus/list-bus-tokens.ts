import { pageOf } from '@platform/lists';
import type { BusAccount, TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { type BusUserRow, readBusUsers } from './reports.ts';

/**
 * GET /orgs/{orgname}/tokens/bus-tokens/ (spec §4.13): tokens of the organization's system admin, including revoked
 * ones.
 */
export function listBusTokens({ config, database }: Parts): Handler<typeof TokenServiceService.listBusTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readBusUsers(database, account.id, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { accounts: listed.items.map(toBusAccount), total: listed.total, next: listed.next };
  };
}

/** A bus account as the API shows it (spec §2.2, open-points 3.4). */
function toBusAccount(row: BusUserRow): BusAccount {
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
