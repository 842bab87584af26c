import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AdminServiceService, BusAccountDetails } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { mostListed } from '../accounts/chosen-accounts.ts';
import { readOrganizationId } from '../accounts/targets.ts';
import type { Parts } from '../parts.ts';

type BusAccountRow = Omit<BusAccountDetails, 'revokedAt'> & { readonly revokedAt: Date | null };

/** `platform admin bus-account list` and `show`. */
export function listBusAccounts({ database }: Parts): Handler<typeof AdminServiceService.listBusAccounts> {
  return async ({ id, organization, after }, { deadline }) => {
    const owner = organization === undefined ? undefined : await readOrganizationId(database, organization, deadline);
    const chosen = sql`
      from bus_user
     where ${id === undefined ? sql`true` : sql`id = ${id}`}
       and ${owner === undefined ? sql`true` : sql`organization_id = ${owner}`}`;
    const { items, next } = (await readPage<BusAccountRow>(database, {
      rows: sql`select bus_user.* ${chosen}`,
      order: byId,
      count: sql`select count(*) ${chosen}`,
      details: sql`
        select item.id, account.name as organization, item.cluster_id as "clusterUid",
               item.product_name as "productName", item.public_key as "busPubKey", item.created_at as "createdAt",
               item.revoked_at as "revokedAt"
          from account where account.id = item.organization_id`,
    }, pageOf({ after }, mostListed), deadline))!;
    return { accounts: items.map(({ revokedAt, ...row }) => ({ ...row, revokedAt: revokedAt ?? undefined })), next };
  };
}
