import { byId, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** A user of an organization's account at the bus. */
export interface BusUserRow {
  readonly id: number;
  readonly accountId: number;
  readonly publicKey: string;
  readonly clusterId: string;
  readonly productName: string;
  readonly revoked: boolean;
}

/** Bus users of an organization's system admin, by ascending id; undefined when there is no such account. */
export async function readBusUsers(
  queryable: Queryable, organizationId: number, page: Page, deadline: Deadline,
): Promise<Listed<BusUserRow> | undefined> {
  return readPage<BusUserRow>(queryable, {
    rows: sql`
      select bus_user.id, bus_user.account_id as "accountId", bus_user.public_key as "publicKey",
             bus_user.cluster_id as "clusterId", bus_user.product_name as "productName",
             bus_user.revoked_at is not null as "revoked"
        from account system_admin
        join bus_user on bus_user.account_id = system_admin.id
       where system_admin.system_admin_of = ${organizationId}`,
    order: byId,
    count: sql`
      select (select count(*) from bus_user where bus_user.account_id = system_admin.id)
        from account system_admin
       where system_admin.system_admin_of = ${organizationId}`,
  }, page, deadline);
}
