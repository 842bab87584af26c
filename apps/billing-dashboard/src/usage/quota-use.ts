import { type Database, type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { exactly, months, quotient } from './figures.ts';
import { monthOf, nextMonth } from './segments.ts';
import { usedUntil } from './read-usage.ts';

export interface Quota {
  readonly id: number;
  readonly metric: string;
  /** Greater than 0. */
  readonly limit: number;
}

export interface QuotaUse {
  readonly used: number;
  readonly percent: number;
  /** Rounded down from the exact value. From 100 on, the limit is reached or exceeded. */
  readonly wholePercent: number;
}

/**
 * Reads how much of its quota each contract has used (open-points 5.1). The metric `clusters` counts the clusters that
 * have had a licence under the contract. Other metrics count the billable use in the UTC month of `now`, up to `now`
 * (microseconds since 1970).
 */
export async function readQuotaUse(
  queryable: Queryable, contracts: readonly Quota[], now: number, deadline: Deadline,
): Promise<ReadonlyMap<number, QuotaUse>> {
  if (contracts.length === 0) return new Map();
  const month = monthOf(now);
  const unit = months(nextMonth(month) - month);
  const ofQuotas = sql`
    month = ${new Date(month / 1000).toISOString().slice(0, 10)}::date
      and (owner_id, product) in (select owner_id, product from given where quota_metric <> 'clusters')`;
  const rows = await queryable.query(sql<{ id: number; clusters: number; cpu: string; memory: string }>`
    with given as (
      select id, owner_id, product, quota_metric from contract
       where id = any (${contracts.map(({ id }) => id)}::bigint[])
    ), used as (
      select contract_id, owner_id, product, sum(cpu) as cpu, sum(memory) as memory
        from (${usedUntil(ofQuotas, now)}) used where class in ('prod', 'nonProd')
       group by contract_id, owner_id, product
    ), licensed as (
      select contract_id, count(distinct cluster_uid)::integer as clusters
        from licence where contract_id in (select id from given where quota_metric = 'clusters') group by contract_id
    )
    select given.id, coalesce(licensed.clusters, 0) as "clusters", coalesce(used.cpu, 0) as "cpu",
           coalesce(used.memory, 0) as "memory"
      from given
      left join used on (used.contract_id, used.owner_id, used.product) = (given.id, given.owner_id, given.product)
      left join licensed on licensed.contract_id = given.id`, { deadline });
  const quotas = new Map(contracts.map((contract) => [contract.id, contract]));
  return new Map(rows.map(({ id, clusters, cpu, memory }) => {
    const { metric, limit } = quotas.get(id)!;
    const [amount, one] = metric === 'clusters'
      ? [BigInt(clusters), 1n]
      : metric === 'cpu_core_month' ? [BigInt(cpu), unit.cpu] : [BigInt(memory), unit.memory];
    const { dividend, divisor } = exactly(limit);
    const [hundredfold, whole] = [amount * 100n * divisor, one * dividend];
    return [id, {
      used: quotient(amount, one), percent: quotient(hundredfold, whole), wholePercent: Number(hundredfold / whole),
    }];
  }));
}

/** Maximum number of contracts per statement. */
const atOnce = 500;

/**
 * Publishes a fact for each active contract with a CPU or memory quota: how much of the quota is used (open-points
 * 5.1). Publishes the fact again only if its `percent`, metric, limit or month changes.
 */
export async function publishQuotaUse(database: Database, deadline: Deadline): Promise<void> {
  const now = new Date();
  for (let after: Fragment = sql`true`; ;) {
    const contracts = await database.query(sql<Quota & { ownerId: number; product: string }>`
      select id, owner_id as "ownerId", product, quota_metric as "metric", quota_limit as "limit" from contract
       where quota_metric in ('cpu_core_month', 'memory_gib_month') and quota_limit > 0 and revoked_at is null
         and starts_at <= ${now} and ends_at > ${now} and ${after}
       order by owner_id, product, id limit ${atOnce}`, { deadline });
    if (contracts.length === 0) return;
    const used = await readQuotaUse(database, contracts, now.getTime() * 1000, deadline);
    const rows = contracts.map(({ id, metric, limit }) => {
      const { used: amount, wholePercent } = used.get(id)!;
      const percent = Math.min(wholePercent, 100);
      return { contractId: id, month: now.toISOString().slice(0, 7), metric, limit, used: amount, percent };
    });
    await database.execute(sql`
      select publish_fact('quota_use', given.value ->> 'contractId', given.value)
        from jsonb_array_elements(${sql.json(rows)}::jsonb) given
        left join fact on fact.kind = 'quota_use' and fact.key = given.value ->> 'contractId'
       where fact.value is null or fact.value - 'used' <> given.value - 'used'`, { deadline });
    const { ownerId, product, id: last } = contracts.at(-1)!;
    after = sql`(owner_id, product, id) > (${ownerId}, ${product}, ${last})`;
  }
}
