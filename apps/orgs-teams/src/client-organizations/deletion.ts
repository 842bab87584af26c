import { type Queryable, sql, type Transaction } from '@platform/postgres';
import { organizationTypes } from '../accounts/visibility.ts';
import { nextMark } from '../organizations/closing-mark.ts';

/** `certain`: the deletion will be completed. `refused`: the deletion has ended, and the organization stays. */
type DeletionOutcome = 'certain' | 'refused';

interface Deletion {
  /** Number of this deletion in the calls to other services (authorization.md W5). */
  readonly mark: number;
  /** Null until the deletion is decided. */
  readonly outcome: DeletionOutcome | null;
  /** Whether this call has begun the deletion. */
  readonly isNew: boolean;
}

/**
 * Begins the deletion with the id `deletion`. If the organization already has this deletion, or a deletion with the
 * outcome `certain`, returns the existing deletion instead. The caller must have locked the organization.
 * @param id id of the organization
 * @returns undefined if there is no client organization with the id `id`
 */
export async function beginDeletion(work: Transaction, id: number, deletion: string): Promise<Deletion | undefined> {
  const known = await work.maybeOne(sql<{ deletion: string | null; outcome: DeletionOutcome | null; mark: number }>`
    select deletion, deletion_outcome as "outcome", closing_mark as "mark"
      from organization join account using (id)
     where id = ${id} and org_type = ${organizationTypes.client}`);
  if (known === undefined) return undefined;
  if (known.deletion === deletion || known.outcome === 'certain') return { ...known, isNew: false };
  await work.execute(sql`
    update organization
       set deletion = ${deletion}, deletion_outcome = null, deleting_at = coalesce(deleting_at, now())
     where id = ${id}`);
  const { mark } = await work.one(sql<{ mark: number }>`
    update account set closing_mark = ${nextMark}, closing_at = null where id = ${id} returning closing_mark as "mark"`);
  return { mark, outcome: null, isNew: true };
}

/**
 * Sets the outcome of a deletion that has no outcome. For a refusal, also sets `closing_at` of the account. If this
 * process then crashes, the schedule `reopen-accounts` reopens the account.
 * @returns the stored outcome; undefined if another deletion has begun or the organization is gone
 */
export async function decideDeletion(
  work: Queryable, id: number, deletion: string, outcome: DeletionOutcome,
): Promise<{ readonly outcome: DeletionOutcome; readonly isNew: boolean } | undefined> {
  const decided = await work.execute(sql`
    update organization
       set deletion_outcome = ${outcome}, deleting_at = case when ${outcome === 'certain'} then deleting_at end
     where id = ${id} and deletion = ${deletion} and deletion_outcome is null`);
  if (decided > 0) {
    if (outcome === 'refused') await work.execute(sql`update account set closing_at = now() where id = ${id}`);
    return { outcome, isNew: true };
  }
  const known = await work.maybeOne(sql<{ outcome: DeletionOutcome }>`
    select deletion_outcome as "outcome" from organization where id = ${id} and deletion = ${deletion}`);
  return known && { ...known, isNew: false };
}
