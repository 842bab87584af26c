import { notFound } from '@platform/faults';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { toRole } from './convert.ts';
import { readRole } from './reports.ts';
import { deleteRoleRow } from './store.ts';

/** DELETE /authz/roles/{id} (spec §4.1). This only takes rights away, so rights are not compared (open-points 2.7). */
export function deleteRole({ database, write }: Parts): Handler<typeof RoleServiceService.deleteRole> {
  return async ({ id, ifMatch }, context) => {
    const organizationId = context.account.id;
    // Read first, so that no row of another organization is locked.
    const seen = await readRole(database, organizationId, id, context.deadline);
    if (seen === undefined) throw notFound('role not found');
    return write(context, [lock.structure(organizationId), lock.roleRemoval(id)], async (work) => {
      const row = await readRole(work, organizationId, id, context.deadline);
      if (row === undefined) throw notFound('role not found');
      refuseOtherRevision(ifMatch, toRole(row));
      await deleteRoleRow(work, id);
      const { name, permissions, teamIds } = toRole(row);
      const details = { name, permissions, teamIds };
      work.audit({ action: 'role.delete', object: `role:${id}`, organizationId, details });
      work.settles(organizationId);
      return {};
    });
  };
}
