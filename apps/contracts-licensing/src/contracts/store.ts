import type { OwnedTable } from '@platform/owners';
import { type Queryable, sql } from '@platform/postgres';
import type { ContractTerms } from './contract-row.ts';

/** The table `contract`. Names are not unique (open-points 5.1), so a repeated request finds its contract by a key. */
export const contractTable: OwnedTable<'name'> = {
  type: 'contract',
  plural: 'contracts',
  key: { field: 'idempotencyKey', column: 'idempotency_key', title: 'idempotency key' },
  // SQL condition: the contract is active or has not started (open-points 5.7).
  holding: sql`(revoked_at is null and ends_at > now())`,
  texts: { name: { column: 'name', least: 1, most: 100 } },
};

export interface NewContractRow extends ContractTerms {
  readonly ownerId: number;
  readonly product: string;
  /** Name of the contract's document. Empty or absent if there is no document. */
  readonly document?: string;
  /** A UUID. At most one contract is added for each key. */
  readonly idempotencyKey: string;
  /** Id of the marketplace subscription for which the contract is created. */
  readonly subscription?: string;
}

/**
 * Adds contracts. Skips a contract whose `idempotencyKey` exists already.
 * @returns the ids of the added contracts, in the given order
 * @throws CheckViolation for an owner whose account is closed
 */
export async function insertContracts(queryable: Queryable, rows: readonly NewContractRow[]): Promise<number[]> {
  const given = rows.map(({ ownerId, product, document = '', idempotencyKey, subscription, ...terms }) => ({
    owner_id: ownerId, product, document, idempotency_key: idempotencyKey, subscription_id: subscription,
    ...columnsOf(terms),
  }));
  const inserted = await queryable.query<{ id: number }>(sql`
    insert into contract (
             owner_id, product, document, idempotency_key, subscription_id, auto_assign_since, ${columns}
           )
    select owner_id, product, document, idempotency_key, subscription_id,
           case when auto_assign_cluster then now() end, ${columns}
      from rows from (
        jsonb_to_recordset(${sql.json(given)}::jsonb)
          as (
            owner_id bigint, product text, document text, idempotency_key uuid, subscription_id text,
            auto_assign_cluster boolean, ${columnTypes}
          )
      ) with ordinality
     order by ordinality
        on conflict (idempotency_key) do nothing
    returning id`);
  return inserted.map(({ id }) => id);
}

/** Updates the terms of a contract. The contract must be locked. */
export async function updateContract(queryable: Queryable, id: number, terms: ContractTerms): Promise<void> {
  // Keep `auto_assign_since` while `autoAssignCluster` is on. Clusters imported earlier are not bound automatically.
  await queryable.execute(sql`
    update contract
       set end_moved_at = case when ends_at = ${terms.endsAt} then end_moved_at else now() end,
           (auto_assign_since, ${columns}) = (
             select case when auto_assign_cluster then coalesce(contract.auto_assign_since, now()) end, ${columns}
               from jsonb_to_record(${sql.json(columnsOf(terms))}::jsonb)
                 as (auto_assign_cluster boolean, ${columnTypes})
           )
     where id = ${id}`);
}

/** Columns of the terms of a contract, with their types. Only `auto_assign_since` is missing: it is computed. */
const termColumns = {
  name: sql`text`, features: sql`text[]`, starts_at: sql`timestamptz`, ends_at: sql`timestamptz`,
  allow_offline: sql`boolean`, disable_analytics: sql`boolean`, enable_client_billing: sql`boolean`,
  restrictions: sql`text`, contact_person: sql`text[]`, signing_authority: sql`text[]`, license_users: sql`text[]`,
  finance_team: sql`text[]`, usage_alert_client: sql`text[]`, usage_alert_admin: sql`text[]`,
  quota_enabled: sql`boolean`, quota_metric: sql`text`, quota_limit: sql`double precision`,
  quota_thresholds: sql`integer[]`, quota_blocks_licences: sql`boolean`,
};
const columns = sql.join(Object.keys(termColumns).map((column) => sql.identifier(column)));
const columnTypes = sql.join(
  Object.entries(termColumns).map(([column, type]) => sql`${sql.identifier(column)} ${type}`),
);

function columnsOf({ name, features, restrictions, emails, quota, ...terms }: ContractTerms) {
  return {
    name, features, restrictions, starts_at: terms.startsAt, ends_at: terms.endsAt,
    auto_assign_cluster: terms.autoAssignCluster, allow_offline: terms.allowOffline,
    disable_analytics: terms.disableAnalytics, enable_client_billing: terms.enableClientBilling,
    contact_person: emails.contactPerson, signing_authority: emails.signingAuthority,
    license_users: emails.licenseUsers, finance_team: emails.financeTeam,
    usage_alert_client: emails.usageAlertClient, usage_alert_admin: emails.usageAlertAdmin,
    quota_enabled: quota.enabled, quota_metric: quota.metric, quota_limit: quota.limit,
    quota_thresholds: quota.alertThresholds, quota_blocks_licences: quota.disableLicenseOnLimitReached,
  };
}
