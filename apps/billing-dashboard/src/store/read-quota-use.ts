import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { months, toQuantities } from '../usage/figures.ts';
import { monthOf, nextMonth } from '../usage/segments.ts';

/**
 * How much of their quotas contracts have used (open-points 5.1): clusters that have had a licence, or billable use in
 * the present UTC month.
 * @param now microseconds since 1970
 */
export async function readQuotaUse(
  queryable: Queryable, contracts: readonly { readonly id: number; readonly metric: string }[], deadline: Deadline,
  now = Date.now() * 1000,
): Promise<ReadonlyMap<number, number>> {
  if (contracts.length === 0) return new Map();
  const month = monthOf(now);
  const unit = months(nextMonth(month) - month);
  const rows = await queryable.query(sql<{ id: number; clusters: number; cpu: string; memory: string }>`
    select given.id, (
             select count(distinct cluster_uid)::integer from licence where contract_id = given.id
           ) as "clusters",
           coalesce(used.cpu, 0) as "cpu", coalesce(used.memory, 0) as "memory"
      from unnest(${contracts.map(({ id }) => id)}::bigint[]) as given (id)
      join contract on contract.id = given.id
      left join lateral (
        select sum(cpu * (least(to_us, ${now}::bigint) - from_us)) as cpu,
               sum(memory * (least(to_us, ${now}::bigint) - from_us)) as memory
          from usage_segment
         where product = contract.product and month = ${new Date(month / 1000).toISOString().slice(0, 10)}::date
           and owner_id = contract.owner_id and contract_id = contract.id and class in ('prod', 'nonProd')
           and from_us < ${now}::bigint
      ) used on true`, { deadline });
  const metrics = new Map(contracts.map(({ id, metric }) => [id, metric]));
  return new Map(rows.map(({ id, clusters, ...sums }) => {
    const { cpu, memory } = toQuantities({ cpu: BigInt(sums.cpu), memory: BigInt(sums.memory) }, unit);
    const metric = metrics.get(id);
    return [id, metric === 'clusters' ? clusters : metric === 'cpu_core_month' ? cpu : memory];
  }));
}
