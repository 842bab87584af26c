import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { BusAccount, TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

type BusUserRow = Omit<BusAccount, 'uid' | 'accountType' | 'busPubKey'> & {
  readonly accountId: number;
  readonly publicKey: string;
};

/** GET /orgs/{orgname}/tokens/bus-tokens/ (spec §4.13): bus tokens of the system admin, including revoked tokens. */
export function listBusTokens({ config, database }: Parts): Handler<typeof TokenServiceService.listBusTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readPage<BusUserRow>(database, {
      rows: sql`
      select bus_user.id, bus_user.account_id as "accountId", bus_user.public_key as "publicKey",
             bus_user.cluster_id as "clusterId", bus_user.product_name as "productName",
             bus_user.revoked_at is not null as "revoked"
        from account system_admin
        join bus_user on bus_user.account_id = system_admin.id
       where system_admin.system_admin_of = ${account.id}`,
      order: byId,
      count: sql`
      select (select count(*) from bus_user where bus_user.account_id = system_admin.id)
        from account system_admin
       where system_admin.system_admin_of = ${account.id}`,
    }, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { accounts: listed.items.map(toBusAccount), total: listed.total, next: listed.next };
  };
}

/** A bus account as the API shows it (spec §2.2, open-points 3.4). */
function toBusAccount({ accountId: uid, publicKey: busPubKey, ...row }: BusUserRow): BusAccount {
  return { ...row, uid, accountType: 'user', busPubKey };
}
