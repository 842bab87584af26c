import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';

/** Brings in line what client organizations say about their clusters. What was deleted stays: reports name it. */
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
