import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';
import { renewClusters } from './apply-contracts.ts';

/** Brings the licences in line, and has the usage of clusters with a trial licence renewed. */
export const applyLicences: Apply<'licence'> = async (transaction, facts) => {
  const given = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, owner_id: value.ownerId, cluster_uid: value.clusterUid, contract_id: value.contractId,
    plan: value.plan, features: value.features, not_before: value.notBefore, not_after: value.notAfter,
    created_at: value.createdAt, registered_at: value.registeredAt,
  }]));
  const trials = sql`
    select owner_id, cluster_uid from licence
     where id = any (${facts.map(({ key }) => key)}::text[]) and contract_id = 0`;
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [key] : []));
  if (gone.length > 0) {
    await renewClusters(transaction, trials);
    await transaction.execute(sql`delete from licence where id = any (${gone}::text[])`);
  }
  await transaction.execute(sql`
    insert into licence (
      id, owner_id, cluster_uid, contract_id, plan, features, not_before, not_after, created_at, registered_at
    )
    select * from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
      id text, owner_id bigint, cluster_uid uuid, contract_id bigint, plan text, features text[],
      not_before timestamptz, not_after timestamptz, created_at timestamptz, registered_at timestamptz
    )
        on conflict (id) do update
       set owner_id = excluded.owner_id, cluster_uid = excluded.cluster_uid, contract_id = excluded.contract_id,
           plan = excluded.plan, features = excluded.features, not_before = excluded.not_before,
           not_after = excluded.not_after, created_at = excluded.created_at, registered_at = excluded.registered_at`);
  await renewClusters(transaction, trials);
};
