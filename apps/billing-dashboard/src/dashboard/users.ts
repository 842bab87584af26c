import { byId, readPage } from '@platform/lists';
import type { DashboardUserServiceService, ListLicensedUsersResponse } from '@platform/proto/billing/v1/dashboard_user';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { pageFrom, unix } from './place.ts';
import { windowStart } from './window.ts';

/** GET /dashboard/users (spec §4.6). */
export function listLicensedUsers(parts: Parts): Handler<typeof DashboardUserServiceService.listLicensedUsers> {
  return (request, { deadline }) => listUsers(parts, request, sql`true`, deadline);
}

/** GET /dashboard/users/active. */
export function listActiveUsers(parts: Parts): Handler<typeof DashboardUserServiceService.listActiveUsers> {
  return async ({ limit, ...request }, { deadline }) => listUsers(parts, request, sql`
    exists (
      select from product_contact where owner_id = account.id and last_received_at >= ${windowStart(limit)}
    )`, deadline);
}

/** GET /dashboard/users/inactive. */
export function listInactiveUsers(parts: Parts): Handler<typeof DashboardUserServiceService.listInactiveUsers> {
  return (request, { deadline }) => listUsers(
    parts, request, sql`not exists (select from product_contact where owner_id = account.id)`, deadline,
  );
}

type UserRow = Omit<ListLicensedUsersResponse['users'][number], 'userId' | 'lastReceivedAt'>
  & { readonly id: number; readonly lastReceivedAt: Date | null };

async function listUsers(
  { config, database }: Parts, request: Parameters<typeof pageFrom>[0], which: Fragment, deadline: Deadline,
): Promise<ListLicensedUsersResponse> {
  const licensed = sql`
    account where not deleted and exists (select from licence where owner_id = account.id) and ${which}`;
  const listed = await readPage<UserRow>(database, {
    rows: sql`select id, slug as "username", kind as "userType", email from ${licensed}`,
    order: byId,
    count: sql`select count(*) from ${licensed}`,
    details: sql`
      select item.*, (select max(last_received_at) from product_contact where owner_id = item.id) as "lastReceivedAt"`,
  }, pageFrom(request, config), deadline);
  const { items, total, next } = listed!;
  return {
    users: items.map((row) => ({ ...row, userId: row.id, lastReceivedAt: unix(row.lastReceivedAt) })),
    total, next,
  };
}
