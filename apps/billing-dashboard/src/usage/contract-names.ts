import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { type Quota, type QuotaUse, readQuotaUse } from './read-quota-use.ts';

/** The part of a contract that views show (open-points 5.1, 13.5). `quota` is undefined if the contract has none. */
interface ContractName {
  readonly name: string;
  readonly quota: Pick<Quota & QuotaUse, 'metric' | 'limit' | 'used' | 'percent'> | undefined;
}

/** An unknown contract has no name. @param until the use of quotas counts up to here, in microseconds since 1970 */
export async function readContractNames(
  queryable: Queryable, ids: readonly number[], until: number, deadline: Deadline,
): Promise<(id: number) => ContractName> {
  const contracts = await queryable.query(sql<{ id: number; name: string; metric: string; limit: number }>`
    select id, name, quota_metric as "metric", quota_limit as "limit" from contract
     where id = any (${[...new Set(ids)]}::bigint[])`, { deadline });
  const withQuota = contracts.filter(({ metric, limit }) => metric !== '' && limit > 0);
  const used = await readQuotaUse(queryable, withQuota, until, deadline);
  const names = new Map(contracts.map(({ id, name, metric, limit }) => {
    const own = used.get(id);
    const quota = own === undefined ? undefined : { metric, limit, used: own.used, percent: own.percent };
    return [id, { name, quota }];
  }));
  return (id) => names.get(id) ?? { name: '', quota: undefined };
}
