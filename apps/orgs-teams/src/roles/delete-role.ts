import { sql } from '@platform/postgres';
import type { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { type Handler, refuseOtherRevision } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { toRole } from './convert.ts';
import { readRole } from './reports.ts';

/** DELETE /authz/roles/{id} (spec §4.1). Needs no escalation check: a deletion grants no rights (open-points 2.7). */
export function deleteRole({ database, write }: Parts): Handler<typeof RoleServiceService.deleteRole> {
  return async ({ id, ifMatch }, context) => {
    const organizationId = context.account.id;
    // Read first, so that no row of another organization is locked.
    await readRole(database, organizationId, id, context.deadline);
    return write(context, [lock.structure(organizationId), lock.roleRemoval(id)], async (work) => {
      const role = toRole(await readRole(work, organizationId, id, context.deadline));
      refuseOtherRevision(ifMatch, role);
      // Permissions and assignments are deleted with the role. Triggers record which teams lose rights.
      await work.execute(sql`delete from role where id = ${id}`);
      const { name, permissions, teamIds } = role;
      const details = { name, permissions, teamIds };
      work.audit({ action: 'role.delete', object: `role:${id}`, organizationId, details });
      work.settles(organizationId);
      return {};
    });
  };
}
