import { sql } from '@platform/postgres';
import { Fault, unavailable } from '@platform/rpc';
import { deadlineIn, shrink } from '@platform/service';
import type { Parts } from '../parts.ts';
import type { Lock } from '../write/locks.ts';
import type { Work, WriteContext } from '../write/write.ts';
import { closeOwner, reopenOwner } from './owner-services.ts';

/** An account to delete for which other services may hold things. */
export interface Removal {
  readonly accountId: number;
  /** Read again for each transaction: they follow from the account's rows. */
  locks(): Promise<readonly Lock[]>;
  /** Throws the Fault that forbids it. Asked before the other services are, and again before the end. */
  check(work: Work): Promise<void>;
  /** Deletes the rows and notes it. */
  remove(work: Work): Promise<void>;
}

/**
 * Deletes an account in the three steps of authorization.md W5. It is marked, so that no other call deletes it. Every
 * service counts its objects and accepts no new ones. Then the rules are checked again, and the rows are deleted. When
 * a step fails, everything stays as it was. A crash leaves the mark, which the loop of {@link reopenAbandoned} removes.
 *
 * @throws Fault ORG_IN_USE when a service holds something, UNAVAILABLE when one does not answer, CONFLICT when another
 *   call is deleting the account
 */
export async function deleteAccount(parts: Parts, context: WriteContext, removal: Removal): Promise<void> {
  const { accountId } = removal;
  const mark = await parts.write(context, await removal.locks(), async (work) => {
    await removal.check(work);
    return setMark(work, accountId);
  });
  try {
    const call = { ...context, deadline: shrink(context.deadline, 10_000) };
    const holders = await closeOwner(parts.ownerServices, accountId, call).catch((cause: unknown) => {
      throw unavailable('a service that may hold things for this account', cause);
    });
    const using = holders.filter(({ held }) => held > 0);
    if (using.length > 0) {
      throw new Fault('ORG_IN_USE', `still in use: ${using.map(({ name, held }) => `${held} in ${name}`).join(', ')}`);
    }
    await parts.write(context, await removal.locks(), async (work) => {
      const { marked } = await work.one(sql<{ marked: boolean }>`
        select coalesce((select closing_at = ${mark}::timestamptz from account where id = ${accountId}), false) as "marked"`);
      if (!marked) throw new Fault('CONFLICT', 'this took too long and was given up, try again');
      await removal.check(work);
      await removal.remove(work);
    });
  } catch (error) {
    await giveUp(parts, context, accountId, mark);
    throw error;
  }
}

/** A mark of a crashed or stuck deletion is older than a minute, or, where the clock was set back, that far ahead. */
const isAbandoned = sql`closing_at not between now() - interval '1 minute' and now() + interval '1 minute'`;

/** Takes away the marks that a crash left, and lets the other services take things for these accounts again. */
export async function reopenAbandoned(parts: Pick<Parts, 'database' | 'ownerServices' | 'log'>): Promise<void> {
  const marked = await parts.database.query(sql<{ id: number; mark: string }>`
    select id, closing_at::text as "mark" from account where ${isAbandoned} order by id limit 100`);
  for (const { id, mark } of marked) {
    await giveUp(parts, { requestId: `reopen-${id}` }, id, mark);
  }
}

async function setMark(work: Work, accountId: number): Promise<string> {
  const marked = await work.maybeOne(sql<{ mark: string }>`
    update account set closing_at = clock_timestamp()
     where id = ${accountId} and (closing_at is null or ${isAbandoned})
    returning closing_at::text as "mark"`);
  if (marked === undefined) throw new Fault('CONFLICT', 'this account is being deleted at the moment');
  return marked.mark;
}

/** The services first: the mark stays, for the loop, until all of them have reopened the account. */
async function giveUp(
  { database, ownerServices, log }: Pick<Parts, 'database' | 'ownerServices' | 'log'>,
  { requestId }: { readonly requestId: string },
  accountId: number,
  mark: string,
): Promise<void> {
  const deadline = deadlineIn(5_000);
  try {
    await reopenOwner(ownerServices, accountId, { deadline, requestId });
    await database.execute(
      sql`update account set closing_at = null where id = ${accountId} and closing_at = ${mark}::timestamptz`,
      { deadline },
    );
  } catch (error) {
    log.warn({ accountId, error }, 'an account that stays could not be reopened yet; it is tried again');
  }
}
