import type { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import type { OrganizationContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { readTeamsOfUser } from './memberships.ts';

/**
 * Makes a user's membership in the organization of the call public or private. A repeated call changes nothing
 * (open-points 3.3).
 * @throws the fault that `absent` returns for a user who is not a member
 */
export async function showMembership(
  { database, write }: Pick<Parts, 'database' | 'write'>,
  context: OrganizationContext,
  { userId, shown, absent }: { readonly userId: number; readonly shown: boolean; readonly absent: () => Fault },
): Promise<void> {
  const organizationId = context.account.id;
  const refuseAbsent = async (queryable: Queryable) => {
    if ((await readTeamsOfUser(queryable, organizationId, userId)).length === 0) throw absent();
  };
  // Check without locks first, so that a request for a user who is not a member locks no rows.
  await refuseAbsent(database);
  await write(context, [lock.permission(organizationId), lock.account(userId)], async (work) => {
    await refuseAbsent(work);
    const changed = await work.execute(shown
      ? sql`
        insert into public_membership (organization_id, user_id) values (${organizationId}, ${userId})
        on conflict do nothing`
      : sql`delete from public_membership where organization_id = ${organizationId} and user_id = ${userId}`);
    if (changed === 0) return;
    work.audit({ action: shown ? 'member.show' : 'member.hide', object: `user:${userId}`, organizationId });
  });
}
