import { type Fragment, sql } from '@platform/postgres';
import type { Apply } from './follow-facts.ts';

/** Applies facts of the kind `cluster_contact` to the table of `sql/cluster-contact.sql`. */
export const applyClusterContacts: Apply<'cluster_contact'> = async (transaction, facts) => {
  const known = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  await transaction.execute(sql`
    insert into cluster_contact (owner_id, cluster_uid, last_at)
    select "ownerId", "clusterUid", "lastAt"
      from jsonb_to_recordset(${sql.json(known)}::jsonb) as given (
        "ownerId" bigint, "clusterUid" uuid, "lastAt" timestamptz
      )
        on conflict (owner_id, cluster_uid) do update set last_at = excluded.last_at`);
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [key.split('/')] : []));
  await transaction.execute(sql`
    delete from cluster_contact
     using unnest(${gone.map(([owner]) => Number(owner))}::bigint[], ${gone.map(([, uid]) => uid!)}::uuid[])
           as gone (owner_id, cluster_uid)
     where (cluster_contact.owner_id, cluster_contact.cluster_uid) = (gone.owner_id, gone.cluster_uid)`);
};

/**
 * SQL expression for the time of the last contact with an imported cluster; null if there was no contact. A contact is
 * a successful call to the cluster, or an event from the cluster. The time of an event is rounded up to the minute.
 * @param cluster name of a table or alias with the columns `owner_id`, `uid` and `last_contact_at`
 */
export function lastContactOf(cluster: Fragment): Fragment {
  return sql`
    greatest(${cluster}.last_contact_at, (
      select contact.last_at from cluster_contact contact
       where contact.owner_id = ${cluster}.owner_id and contact.cluster_uid = ${cluster}.uid
    ))`;
}
