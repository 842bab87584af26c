import type { Fault } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import type { OrganizationContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { readTeamsOfUser } from './memberships.ts';
import { deletePublicMembership, insertPublicMembership } from './public-memberships.ts';

/** A membership of the acting organization, and whether it is public or visible to members only. */
export interface Showing {
  readonly userId: number;
  readonly shown: boolean;
  /** Returns the refusal for a user who is not a member. */
  readonly absent: () => Fault;
}

/**
 * Makes a membership public or private; repeating it changes nothing (open-points 3.3). @throws the fault that `absent`
 * returns
 */
export async function showMembership(
  { database, write }: Pick<Parts, 'database' | 'write'>,
  context: OrganizationContext,
  { userId, shown, absent }: Showing,
): Promise<void> {
  const organizationId = context.account.id;
  const refuseAbsent = async (queryable: Queryable) => {
    if ((await readTeamsOfUser(queryable, organizationId, userId, undefined)).length === 0) throw absent();
  };
  // Check without locks first, so that a caller who is not a member cannot lock rows of the organization.
  await refuseAbsent(database);
  await write(context, [lock.permission(organizationId), lock.account(userId)], async (work) => {
    await refuseAbsent(work);
    const changed = await (shown ? insertPublicMembership : deletePublicMembership)(work, organizationId, userId);
    if (!changed) return;
    work.audit({ action: shown ? 'member.show' : 'member.hide', object: `user:${userId}`, organizationId });
  });
}
