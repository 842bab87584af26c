import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, notFound } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toRole } from './convert.ts';
import { readRole } from './reports.ts';

/** GET /authz/roles/{id} (spec §4.1). A role of another organization is as one that is not there (open-points 1.5). */
export function getRole({ database }: Parts): Handler<typeof RoleServiceService.getRole> {
  return async ({ id }, { account, deadline }) => {
    const row = await readRole(database, account.id, id, deadline);
    if (row === undefined) throw notFound('role not found');
    return toRole(row);
  };
}
