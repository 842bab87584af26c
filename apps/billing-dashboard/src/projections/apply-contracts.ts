import type { Apply } from '@platform/facts';
import { type Fragment, sql, type Transaction } from '@platform/postgres';

/** Brings the contracts in line, and has the usage of their clusters renewed. */
export const applyContracts: Apply<'contract'> = async (transaction, facts) => {
  const given = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, owner_id: value.ownerId, name: value.name, product: value.product,
    starts_at: value.start, ends_at: value.end, revoked_at: value.revokedAt, deleted_at: value.deletedAt,
    enable_client_billing: value.enableClientBilling,
    quota_metric: value.quota?.metric ?? '', quota_limit: value.quota?.limit ?? 0,
  }]));
  const ids = facts.map(({ key }) => Number(key));
  const clusters = sql`
    select contract.owner_id, bound.cluster_uid
      from contract join contract_cluster bound on bound.contract_id = contract.id
     where contract.id = any (${ids}::bigint[])`;
  // Under the old owner, too, where a contract was moved.
  await renewClusters(transaction, clusters);
  // A contract without a state never was: rows of its service were restored to a time before it.
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`delete from contract where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into contract (
      id, owner_id, name, product, starts_at, ends_at, revoked_at, deleted, enable_client_billing, quota_metric,
      quota_limit
    )
    select id, owner_id, name, product, starts_at, ends_at, least(revoked_at, deleted_at), deleted_at is not null,
           enable_client_billing, quota_metric, quota_limit
      from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
        id bigint, owner_id bigint, name text, product text, starts_at timestamptz, ends_at timestamptz,
        revoked_at timestamptz, deleted_at timestamptz, enable_client_billing boolean, quota_metric text,
        quota_limit double precision
      )
        on conflict (id) do update
       set owner_id = excluded.owner_id, name = excluded.name, product = excluded.product,
           starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = excluded.revoked_at,
           deleted = excluded.deleted, enable_client_billing = excluded.enable_client_billing,
           quota_metric = excluded.quota_metric, quota_limit = excluded.quota_limit`);
  await renewClusters(transaction, clusters);
};

/** Brings the bindings of clusters to contracts in line, and has the usage of the clusters renewed. */
export const applyContractClusters: Apply<'contract_cluster'> = async (transaction, facts) => {
  const given = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, contract_id: value.contractId, cluster_uid: value.clusterUid, removed_at: value.removedAt,
  }]));
  const clusters = sql`
    select contract.owner_id, bound.cluster_uid
      from contract_cluster bound join contract on contract.id = bound.contract_id
     where bound.id = any (${facts.map(({ key }) => Number(key))}::bigint[])`;
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  if (gone.length > 0) {
    await renewClusters(transaction, clusters);
    await transaction.execute(sql`delete from contract_cluster where id = any (${gone}::bigint[])`);
  }
  await transaction.execute(sql`
    insert into contract_cluster (id, contract_id, cluster_uid, removed_at)
    select * from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
      id bigint, contract_id bigint, cluster_uid uuid, removed_at timestamptz
    )
        on conflict (id) do update
       set contract_id = excluded.contract_id, cluster_uid = excluded.cluster_uid, removed_at = excluded.removed_at`);
  await renewClusters(transaction, clusters);
};

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
