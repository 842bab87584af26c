import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';

/** Applies facts of accounts. A deleted account keeps its row, because views still show its name. */
export const applyAccounts: Apply<'account'> = async (transaction, facts) => {
  const known = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`update account set deleted = true where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into account (id, slug, kind, email)
    select id, slug, case kind when 'person' then 'user' else kind end, email
      from jsonb_to_recordset(${sql.json(known)}::jsonb) as given (id bigint, slug text, kind text, email text)
        on conflict (id) do update
       set slug = excluded.slug, kind = excluded.kind, email = excluded.email, deleted = false`);
};

/** Applies facts of clusters. A removed cluster keeps its row, because views still show its name. */
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

/**
 * Applies facts of clusters of client organizations. The row of a removed fact stays, because reports need the
 * row for 6 months after the deletion of a database (open-points 7.4).
 */
export const applyClientClusters: Apply<'client_cluster'> = async (transaction, facts) => {
  const given = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    cluster_uid: value.clusterUid, organization_id: value.organizationId, metadata: value.metadata,
  }]));
  await transaction.execute(sql`
    insert into client_cluster (cluster_uid, organization_id, metadata)
    select * from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
      cluster_uid uuid, organization_id bigint, metadata jsonb
    )
        on conflict (cluster_uid, organization_id) do update set metadata = excluded.metadata`);
};
