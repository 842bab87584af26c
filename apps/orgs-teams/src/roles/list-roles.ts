import { pageOf } from '@platform/lists';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toRole } from './convert.ts';
import { readRoles } from './reports.ts';

/** GET /authz/roles (spec §4.1): open to every member, as the catalogue is. */
export function listRoles({ config, database }: Parts): Handler<typeof RoleServiceService.listRoles> {
  return async (request, { account, deadline }) => {
    const { items, total, next } = await readRoles(database, account.id, pageOf(request, config), deadline);
    return { roles: items.map(toRole), total, next };
  };
}
