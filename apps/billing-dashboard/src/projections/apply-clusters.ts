import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';

/** Brings the clusters in line. A removed one keeps its row: past views name it. */
export const applyClusters: Apply<'cluster'> = async (transaction, facts) => {
  const given = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, owner_id: value.ownerId, uid: value.uid, name: value.name, display_name: value.displayName,
    provider: value.provider, kubernetes_version: value.kubernetesVersion, node_count: value.nodeCount,
    imported_at: value.createdAt, last_contact_at: value.lastContactAt,
  }]));
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`update cluster set removed = true where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into cluster (
      id, owner_id, uid, name, display_name, provider, kubernetes_version, node_count, imported_at, last_contact_at
    )
    select * from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
      id bigint, owner_id bigint, uid uuid, name text, display_name text, provider text, kubernetes_version text,
      node_count integer, imported_at timestamptz, last_contact_at timestamptz
    )
        on conflict (id) do update
       set owner_id = excluded.owner_id, uid = excluded.uid, name = excluded.name,
           display_name = excluded.display_name, provider = excluded.provider,
           kubernetes_version = excluded.kubernetes_version, node_count = excluded.node_count,
           imported_at = excluded.imported_at, last_contact_at = excluded.last_contact_at, removed = false`);
};
