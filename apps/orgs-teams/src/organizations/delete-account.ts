import { sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import { deadlineIn, shrink } from '@platform/service';
import { conflict } from '@platform/values';
import type { Parts } from '../parts.ts';
import type { Lock } from '../write/locks.ts';
import type { Work, WriteContext } from '../write/write.ts';
import { dropMark, findAbandoned, holdsMark, takeAbandonedMark, takeMark } from './closing-mark.ts';
import { closeOwner, type Holder, reopenOwner } from './owner-services.ts';

interface Removal {
  readonly accountId: number;
  /** Returns the locks of a transaction. Called before each transaction, because the rows to lock may change. */
  locks(): Promise<readonly Lock[]>;
  /** Throws if the account may not be deleted. Called in each of the two transactions, before any change. */
  check(work: Work): Promise<void>;
  /** Deletes the rows of the account, and writes audit entries. */
  remove(work: Work): Promise<void>;
}

/**
 * Deletes an account in the three steps of authorization.md W5. The first step checks the rules and marks the account.
 * In the second step, the `ownerServices` close the account and count the objects of the account. The third step checks
 * the rules again and deletes the rows. If the second or third step fails, {@link giveUp} reopens the account. After a
 * crash, {@link reopenAbandoned} does this.
 * @throws the Fault of `check`; Fault ORG_IN_USE when a service holds objects, UNAVAILABLE when a service fails,
 *   CONFLICT when another call is deleting the account or has taken over the deletion
 */
export async function deleteAccount(parts: Parts, context: WriteContext, removal: Removal): Promise<void> {
  const { accountId } = removal;
  const mark = await parts.write(context, await removal.locks(), async (work) => {
    await removal.check(work);
    const taken = await takeMark(work, accountId);
    if (taken === undefined) throw conflict('this account is being deleted at the moment');
    return taken;
  });
  try {
    const call = { ...context, deadline: shrink(context.deadline, 10_000) };
    const holders = await closeOwner(parts.ownerServices, { ownerId: accountId, mark }, call);
    const using = holders.filter(({ held }) => held > 0);
    if (using.length > 0) throw stillInUse(using);
    await parts.write(context, await removal.locks(), async (work) => {
      if (!(await holdsMark(work, accountId, mark))) throw conflict('the deletion took too long, try again');
      await removal.check(work);
      await removal.remove(work);
    });
  } catch (error) {
    await giveUp(parts, context, accountId, mark);
    throw error;
  }
}

/**
 * Takes over deletions that have crashed or are stuck, and gives them up. A process that still runs such a deletion can
 * then no longer complete it.
 */
export async function reopenAbandoned(parts: Pick<Parts, 'database' | 'ownerServices' | 'log'>): Promise<void> {
  for (const id of await findAbandoned(parts.database)) {
    const mark = await takeAbandonedMark(parts.database, id);
    if (mark !== undefined) await giveUp(parts, { requestId: `reopen-${id}` }, id, mark);
  }
}

/**
 * Gives up a deletion: reopens the account in all services, then removes the mark. If this fails,
 * {@link reopenAbandoned} tries again. Does not reopen a client organization under deletion (open-points 4.3).
 */
export async function giveUp(
  { database, ownerServices, log }: Pick<Parts, 'database' | 'ownerServices' | 'log'>,
  { requestId }: { readonly requestId: string },
  accountId: number,
  mark: number,
): Promise<void> {
  const deadline = deadlineIn(5_000);
  try {
    const deleting = await database.maybeOne(sql<{ id: number }>`
      select id from organization where id = ${accountId} and deleting_at is not null`, { deadline });
    if (deleting === undefined) await reopenOwner(ownerServices, { ownerId: accountId, mark }, { deadline, requestId });
    await dropMark(database, accountId, mark, { deadline });
  } catch (error) {
    log.warn({ accountId, error }, 'cannot reopen an account after its deletion failed; retrying');
  }
}

export function stillInUse(holders: readonly Holder[]): Fault {
  const counts = holders.map(({ name, held }) => `${held} in ${name}`).join(', ');
  return new Fault('ORG_IN_USE', `other services hold objects of this account: ${counts}`);
}
