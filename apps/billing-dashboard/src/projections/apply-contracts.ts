import type { Apply } from '@platform/facts';
import { sql } from '@platform/postgres';
import { noteChangedTerms } from '../usage/changed-terms.ts';

/**
 * Applies facts of contracts to the table `contract`. Adds a note for each place (owner, cluster and product) whose
 * terms change, so that the usage of this place is computed again.
 */
export const applyContracts: Apply<'contract'> = async (transaction, facts) => {
  const rows = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, owner_id: value.ownerId, name: value.name, product: value.product,
    starts_at: value.start, ends_at: value.end, revoked_at: value.revokedAt, deleted_at: value.deletedAt,
    enable_client_billing: value.enableClientBilling,
    quota_metric: value.quota?.metric ?? '', quota_limit: value.quota?.limit ?? 0,
  }]));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      id bigint, owner_id bigint, name text, product text, starts_at timestamptz, ends_at timestamptz,
      revoked_at timestamptz, deleted_at timestamptz, enable_client_billing boolean, quota_metric text,
      quota_limit double precision
    )`;
  const ids = facts.map(({ key }) => Number(key));
  await noteChangedTerms(transaction, {
    before: sql`
      select id, owner_id, product, starts_at, ends_at, revoked_at, enable_client_billing
        from contract where id = any (${ids}::bigint[])`,
    after: sql`
      select id, owner_id, product, starts_at, ends_at, least(revoked_at, deleted_at) as revoked_at,
             enable_client_billing
        from ${given}`,
    // For a contract that was moved, `changed` has a row of the old owner and a row of the new owner.
    places: sql`
      select changed.owner_id, bound.cluster_uid, changed.product
        from changed join contract_cluster bound on bound.contract_id = changed.id`,
  });
  // Delete contracts whose facts have no value. A fact has no value if contracts-licensing was restored from a backup
  // that does not contain the contract.
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`delete from contract where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into contract (
      id, owner_id, name, product, starts_at, ends_at, revoked_at, deleted, enable_client_billing, quota_metric,
      quota_limit
    )
    select id, owner_id, name, product, starts_at, ends_at, least(revoked_at, deleted_at), deleted_at is not null,
           enable_client_billing, quota_metric, quota_limit
      from ${given}
        on conflict (id) do update
       set owner_id = excluded.owner_id, name = excluded.name, product = excluded.product,
           starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = excluded.revoked_at,
           deleted = excluded.deleted, enable_client_billing = excluded.enable_client_billing,
           quota_metric = excluded.quota_metric, quota_limit = excluded.quota_limit`);
};

/**
 * Applies facts of bindings between clusters and contracts. Adds a note for each place (owner, cluster and product)
 * whose terms change, so that the usage of this place is computed again.
 */
export const applyContractClusters: Apply<'contract_cluster'> = async (transaction, facts) => {
  const rows = facts.flatMap(({ value }) => (value === undefined ? [] : [{
    id: value.id, contract_id: value.contractId, cluster_uid: value.clusterUid, removed_at: value.removedAt,
  }]));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      id bigint, contract_id bigint, cluster_uid uuid, removed_at timestamptz
    )`;
  const ids = facts.map(({ key }) => Number(key));
  await noteChangedTerms(transaction, {
    before: sql`select id, contract_id, cluster_uid, removed_at from contract_cluster where id = any (${ids}::bigint[])`,
    after: sql`select id, contract_id, cluster_uid, removed_at from ${given}`,
    places: sql`
      select contract.owner_id, changed.cluster_uid, contract.product
        from changed join contract on contract.id = changed.contract_id`,
  });
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`delete from contract_cluster where id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into contract_cluster (id, contract_id, cluster_uid, removed_at)
    select id, contract_id, cluster_uid, removed_at from ${given}
        on conflict (id) do update
       set contract_id = excluded.contract_id, cluster_uid = excluded.cluster_uid, removed_at = excluded.removed_at`);
};

/**
 * Applies facts of licences to the table `licence`. Adds a note for each place (owner, cluster and product) whose terms
 * change, so that the usage of this place is computed again. Of the licences, only trials define terms.
 */
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
