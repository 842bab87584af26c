import { type Fragment, sql, type Transaction } from '@platform/postgres';
import type { Place } from './read-terms.ts';

/**
 * Adds a note for each combination of account, cluster and product whose terms the transaction is about to change.
 * Ignores unchanged rows.
 * @param change `before` selects the current rows of contracts, bindings or licences. `after` selects the same columns
 *   of the new rows. `places` selects `owner_id`, `cluster_uid` and `product` from `changed`, which contains the old
 *   and the new version of each changed row.
 */
export async function noteChangedTerms(
  transaction: Transaction, { before, after, places }: Readonly<Record<'before' | 'after' | 'places', Fragment>>,
): Promise<void> {
  await transaction.execute(sql`
    with before as materialized (${before}), after as materialized (${after}), changed as (
      (table before except table after) union (table after except table before)
    )
    insert into changed_terms (owner_id, cluster_uid, product)
    select distinct owner_id, cluster_uid, product from (${places}) place`);
}

type Note = Place & { readonly id: number; readonly markedTo: string };

/**
 * Reads notes about changed terms. Marks the objects with the account, cluster and product of a note as due for
 * renewal. Skips notes that another replica handles. If an object is being renewed, waits for the end of the renewal,
 * because that renewal may use the old terms.
 * @param limits approximate number of objects, and maximum number of notes (`places`), for one transaction
 * @returns whether more objects may have to be marked
 */
export async function markChangedTerms(
  transaction: Transaction, limits: { readonly objects: number; readonly places: number },
): Promise<boolean> {
  const notes = await transaction.query(sql<Note>`
    select id, owner_id as "ownerId", cluster_uid as "clusterUid", product, marked_to as "markedTo"
      from changed_terms order by parts, id limit ${limits.places} for update skip locked`);
  if (notes.length === 0) return false;
  const most = Math.max(1, Math.floor(limits.objects / notes.length));
  const objects = await readObjects(transaction, notes, most);
  await markObjects(transaction, objects.map(({ id }) => id));
  const parts = Map.groupBy(objects, ({ noteId }) => noteId);
  const left = notes.flatMap(({ id }) => {
    const part = parts.get(id) ?? [];
    return part.length < most ? [] : [{ id, markedTo: part.at(-1)!.uid }];
  });
  await moveNotes(transaction, notes, left);
  return left.length > 0 || notes.length === limits.places;
}

/** Reads the next objects of each note, sorted by UID. */
function readObjects(transaction: Transaction, notes: readonly Note[], most: number) {
  return transaction.query(sql<{ noteId: number; id: number; uid: string }>`
    select note.id as "noteId", object.id, object.object_uid as "uid"
      from jsonb_to_recordset(${sql.json(notes)}::jsonb) as note (
             id bigint, "ownerId" bigint, "clusterUid" uuid, product text, "markedTo" text
           )
     cross join lateral (
       select id, object_uid from metered_object
        where owner_id = note."ownerId" and cluster_uid = note."clusterUid" and product = note.product
          and object_uid > note."markedTo"
        order by object_uid limit ${most}
     ) object
     order by note.id, object.object_uid`);
}

/** Locks objects in the order of their ids, then marks them. `lockMetered` has the same order, to avoid deadlocks. */
async function markObjects(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(sql`
    select from metered_object where id = any (${ids}::bigint[]) order by id for no key update`);
  await transaction.execute(sql`
    update metered_object set due_from = '-infinity', due_since = coalesce(due_since, now())
     where id = any (${ids}::bigint[]) and due_from is distinct from '-infinity'`);
}

/** Stores the UID of the last marked object in each note of `left`. Deletes all other notes of `notes`. */
async function moveNotes(
  transaction: Transaction, notes: readonly Note[], left: readonly Pick<Note, 'id' | 'markedTo'>[],
): Promise<void> {
  const ids = left.map(({ id }) => id);
  await transaction.execute(sql`
    update changed_terms note set parts = parts + 1, marked_to = part.marked_to
      from unnest(${ids}::bigint[], ${left.map(({ markedTo }) => markedTo)}::text[]) as part (id, marked_to)
     where note.id = part.id`);
  await transaction.execute(sql`
    delete from changed_terms
     where id = any (${notes.map(({ id }) => id)}::bigint[]) and not id = any (${ids}::bigint[])`);
}
