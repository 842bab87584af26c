import { type Fragment, sql, type Transaction } from '@platform/postgres';

/**
 * Marks the usage of all objects in given clusters as due: their contracts or licences have changed, for moments of any
 * time. Rows are locked in the order of their ids, as batches of events do.
 * @param clusters selects `owner_id`, `cluster_uid`
 */
export async function renewClusters(transaction: Transaction, clusters: Fragment): Promise<void> {
  await transaction.execute(sql`
    with touched as materialized (
      select object.id from metered_object object
       where (object.owner_id, object.cluster_uid) in (${clusters})
       order by object.id for no key update
    )
    update metered_object object set due_from = '-infinity', due_since = coalesce(due_since, now())
      from touched where object.id = touched.id`);
}
