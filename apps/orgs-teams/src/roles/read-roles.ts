import { notFound } from '@platform/faults';
import { pageOf } from '@platform/lists';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toRole } from './convert.ts';
import { readRole, readRolePrincipals, readRoles } from './reports.ts';

/** GET /authz/roles (spec §4.1). */
export function listRoles({ config, database }: Parts): Handler<typeof RoleServiceService.listRoles> {
  return async (request, { account, deadline }) => {
    const { items, total, next } = await readRoles(database, account.id, pageOf(request, config), deadline);
    return { roles: items.map(toRole), total, next };
  };
}

/** GET /authz/roles/{id} (spec §4.1). A role of another organization is reported as missing (open-points 1.5). */
export function getRole({ database }: Parts): Handler<typeof RoleServiceService.getRole> {
  return async ({ id }, { account, deadline }) => toRole(await readRole(database, account.id, id, deadline));
}

/** GET /authz/roles/{id}/principals (spec §4.1, open-points 2.7). Only teams can have roles. */
export function listRolePrincipals({ config, database }: Parts): Handler<typeof RoleServiceService.listRolePrincipals> {
  return async (request, { account, deadline }) => {
    const listed = await readRolePrincipals(database, account.id, request.id, pageOf(request, config), deadline);
    if (listed === undefined) throw notFound('role not found');
    const principals = listed.items.map(({ id, ...team }) => ({ principalType: 'team', principalId: id, ...team }));
    return { principals, total: listed.total, next: listed.next };
  };
}
