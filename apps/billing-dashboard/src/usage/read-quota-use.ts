import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { exactly, months, quotient } from './figures.ts';
import { monthOf, nextMonth } from './segments.ts';
import { usedUntil } from './read-usage.ts';

export interface Quota {
  readonly id: number;
  readonly metric: string;
  /** Positive. */
  readonly limit: number;
}

export interface QuotaUse {
  readonly used: number;
  readonly percent: number;
  /** Rounded down from the exact value: 100 means that the limit is reached or exceeded. */
  readonly wholePercent: number;
}

/**
 * Reads how much of their quotas contracts have used (open-points 5.1): the number of clusters that have had a licence,
 * or the billable use in the current UTC month. Only shown values are rounded. The month of an owner is read once for
 * all contracts of the owner.
 * @param now microseconds since 1970
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
