import { type Queryable, sql } from '@platform/postgres';
import type { ContractWindow, Terms, Window } from './terms.ts';
import { distantMicros } from './micros.ts';
import type { OwnedCluster } from './read-object-lines.ts';

/** A product in a cluster of an owner. */
export type Place = OwnedCluster & { readonly product: string };

export function placeKey({ ownerId, clusterUid, product }: Place): string {
  return `${ownerId} ${clusterUid} ${product}`;
}

/**
 * Reads, for each place, when contracts cover it and when trial licences are valid (open-points 7.3, 13.5).
 * @returns these times by {@link placeKey}
 */
export async function readTerms(queryable: Queryable, places: readonly Place[]): Promise<Map<string, Terms>> {
  const given = sql`
    jsonb_to_recordset(${sql.json(places)}::jsonb) as given ("ownerId" bigint, "clusterUid" uuid, product text)`;
  const place = sql`given."ownerId", given."clusterUid", given.product`;
  const contracts = await queryable.query(sql<Place & ContractWindow>`
    select distinct ${place}, contract.id as "contractId", ${distantMicros(sql`contract.starts_at`)} as "from",
           ${distantMicros(sql`least(contract.ends_at, contract.revoked_at, bound.removed_at)`)} as "to",
           ${distantMicros(sql`contract.ends_at`)} as "end"
      from ${given}
      join contract_cluster bound on bound.cluster_uid = given."clusterUid"
      join contract on contract.id = bound.contract_id
       and contract.owner_id = given."ownerId" and contract.product = given.product
     where contract.starts_at < least(contract.ends_at, contract.revoked_at, bound.removed_at)`);
  const trials = await queryable.query(sql<Place & Window>`
    select distinct ${place}, ${distantMicros(sql`licence.created_at`)} as "from",
           ${distantMicros(sql`licence.not_after`)} as "to"
      from ${given}
      join licence on licence.owner_id = given."ownerId" and licence.cluster_uid = given."clusterUid"
       and licence.contract_id = 0 and given.product = any (licence.features)`);
  const terms = new Map<string, { contracts: ContractWindow[]; trials: Window[] }>(
    places.map((one) => [placeKey(one), { contracts: [], trials: [] }]),
  );
  for (const row of contracts) terms.get(placeKey(row))!.contracts.push(row);
  for (const row of trials) terms.get(placeKey(row))!.trials.push(row);
  return terms;
}
