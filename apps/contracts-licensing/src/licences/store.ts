import { type Queryable, sql } from '@platform/postgres';
import type { LicenceTerms } from './certificate.ts';
import type { VerifiedLicence } from './verify.ts';

/** Records a licence that is issued: 0 as the contract of a trial. @throws UniqueViolation when the serial is taken */
export async function insertLicence(queryable: Queryable, terms: LicenceTerms, contractId: number): Promise<void> {
  await queryable.execute(sql`
    with licence as (
      insert into licence (
        id, owner_id, cluster_uid, contract_id, product_line, tier, plan, features, not_before, not_after
      ) values (
        ${terms.serial.toString()}::bigint, ${terms.ownerId}, ${terms.clusterId}::uuid, ${contractId},
        ${terms.plan.productLine}, ${terms.plan.tier}, ${terms.plan.name}, ${terms.features}::text[],
        ${terms.notBefore}, ${terms.notAfter}
      )
      returning contract_id, cluster_uid
    )
    insert into licensed_cluster (contract_id, cluster_uid)
    select contract_id, cluster_uid from licence where contract_id > 0
        on conflict do nothing`);
}

/**
 * Records that a licence is registered. The row of one that was not issued here is made (open-points 6.5).
 * @param ownerId the account that stands for the one the licence names
 */
export async function putRegistered(
  queryable: Queryable, licence: VerifiedLicence, clusterUid: string, ownerId: number,
): Promise<void> {
  await queryable.execute(sql`
    insert into licence (
      id, owner_id, cluster_uid, contract_id, product_line, tier, plan, features, not_before, not_after, registered_at
    ) values (
      ${licence.id}::bigint, ${ownerId}, ${clusterUid}::uuid, null, ${licence.plan.productLine}, ${licence.plan.tier},
      ${licence.plan.name}, ${licence.features}::text[], ${licence.notBefore}, ${licence.notAfter}, now()
    )
        on conflict (id) do update set registered_at = coalesce(licence.registered_at, excluded.registered_at)`);
}

/** Notes an event of a contract once in a period. @returns whether it was not noted before */
export async function noteOnce(
  queryable: Queryable, contractId: number, event: string, period: string,
): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into contract_notice (contract_id, event, period) values (${contractId}, ${event}, ${period})
        on conflict do nothing`);
  return inserted === 1;
}

/** The month of a moment in UTC, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
