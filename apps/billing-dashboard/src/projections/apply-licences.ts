import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';
import { noteChangedTerms } from '../usage/changed-terms.ts';

/** Applies facts of licences, and marks the usage of clusters with a trial licence for renewal. */
export const applyLicences: Apply<'licence'> = async (transaction, facts) => {
  const rows = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, owner_id: value.ownerId, cluster_uid: value.clusterUid, contract_id: value.contractId,
    plan: value.plan, features: value.features, not_before: value.notBefore, not_after: value.notAfter,
    created_at: value.createdAt, registered_at: value.registeredAt,
  }]));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      id text, owner_id bigint, cluster_uid uuid, contract_id bigint, plan text, features text[],
      not_before timestamptz, not_after timestamptz, created_at timestamptz, registered_at timestamptz
    )`;
  const trials = sql`select id, owner_id, cluster_uid, features, created_at, not_after`;
  await noteChangedTerms(transaction, {
    before: sql`${trials} from licence where id = any (${facts.map(({ key }) => key)}::text[]) and contract_id = 0`,
    after: sql`${trials} from ${given} where contract_id = 0`,
    places: sql`select owner_id, cluster_uid, unnest(features) as product from changed`,
  });
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [key] : []));
  await transaction.execute(sql`delete from licence where id = any (${gone}::text[])`);
  await transaction.execute(sql`
    insert into licence (
      id, owner_id, cluster_uid, contract_id, plan, features, not_before, not_after, created_at, registered_at
    )
    select id, owner_id, cluster_uid, contract_id, plan, features, not_before, not_after, created_at, registered_at
      from ${given}
        on conflict (id) do update
       set owner_id = excluded.owner_id, cluster_uid = excluded.cluster_uid, contract_id = excluded.contract_id,
           plan = excluded.plan, features = excluded.features, not_before = excluded.not_before,
           not_after = excluded.not_after, created_at = excluded.created_at, registered_at = excluded.registered_at`);
};
