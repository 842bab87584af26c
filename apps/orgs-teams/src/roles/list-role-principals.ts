import { pageOf } from '@platform/lists';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, notFound } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toRolePrincipal } from './convert.ts';
import { readRolePrincipals } from './reports.ts';

/** GET /authz/roles/{id}/principals (spec §4.1, open-points 2.7). */
export function listRolePrincipals(
  { config, database }: Parts,
): Handler<typeof RoleServiceService.listRolePrincipals> {
  return async (request, { account, deadline }) => {
    const listed = await readRolePrincipals(database, account.id, request.id, pageOf(request, config), deadline);
    if (listed === undefined) throw notFound('role not found');
    return { principals: listed.items.map(toRolePrincipal), total: listed.total, next: listed.next };
  };
}
