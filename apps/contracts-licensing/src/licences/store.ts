import { type Queryable, sql, UniqueViolation } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { LicenceTerms } from './certificate.ts';
import type { VerifiedLicence } from './verify.ts';

export interface NewLicence {
  readonly terms: LicenceTerms;
  /** 0 for a trial. */
  readonly contractId: number;
}

/**
 * Stores licences. For each licence under a contract, also stores that the cluster has had a licence under this
 * contract.
 * @throws Fault CONFLICT when a serial is in use
 */
export async function insertLicences(queryable: Queryable, licences: readonly NewLicence[]): Promise<void> {
  const given = licences.map(({ contractId, terms }) => ({
    id: terms.serial.toString(), owner_id: terms.ownerId, cluster_uid: terms.clusterId, contract_id: contractId,
    product_line: terms.plan.productLine, tier: terms.plan.tier, plan: terms.plan.name, features: terms.features,
    not_before: terms.notBefore, not_after: terms.notAfter,
  }));
  try {
    await queryable.execute(sql`
      with licence as (
        insert into licence (
          id, owner_id, cluster_uid, contract_id, product_line, tier, plan, features, not_before, not_after
        )
        select * from jsonb_to_recordset(${sql.json(given)}::jsonb) as (
          id bigint, owner_id bigint, cluster_uid uuid, contract_id bigint, product_line text, tier text, plan text,
          features text[], not_before timestamptz, not_after timestamptz
        )
        returning contract_id, cluster_uid
      )
      insert into licensed_cluster (contract_id, cluster_uid)
      select distinct contract_id, cluster_uid from licence where contract_id > 0
          on conflict do nothing`);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new Fault('CONFLICT', 'the random serial of a new licence is in use already, try again');
  }
}

/**
 * Records the time of the first registration of a licence. A licence that was not issued here is added, with the owner
 * `ownerId` (open-points 6.5).
 */
export async function putRegistered(
  queryable: Queryable, licence: VerifiedLicence, clusterUid: string, ownerId: number, deadline: Deadline,
): Promise<void> {
  await queryable.execute(sql`
    insert into licence (
      id, owner_id, cluster_uid, contract_id, product_line, tier, plan, features, not_before, not_after, registered_at
    ) values (
      ${licence.id}::bigint, ${ownerId}, ${clusterUid}::uuid, null, ${licence.plan.productLine}, ${licence.plan.tier},
      ${licence.plan.name}, ${licence.features}::text[], ${licence.notBefore}, ${licence.notAfter}, now()
    )
        on conflict (id) do update set registered_at = coalesce(licence.registered_at, excluded.registered_at)`, { deadline });
}
