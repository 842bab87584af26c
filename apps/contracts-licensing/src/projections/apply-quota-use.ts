import type { Apply } from '@platform/facts';
import { type Fragment, sql } from '@platform/postgres';

export const applyQuotaUse: Apply<'quota_use'> = async (transaction, facts) => {
  const known = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  await transaction.execute(sql`delete from contract_use where contract_id = any (${gone}::bigint[])`);
  await transaction.execute(sql`
    insert into contract_use (contract_id, metric, quota_limit, month, used, percent)
    select "contractId", metric, "limit", month, used, percent
      from jsonb_to_recordset(${sql.json(known)}::jsonb) as given (
        "contractId" bigint, metric text, "limit" double precision, month text, used double precision, percent integer
      )
        on conflict (contract_id) do update
       set metric = excluded.metric, quota_limit = excluded.quota_limit, month = excluded.month, used = excluded.used,
           percent = excluded.percent`);
};

/**
 * SQL to put after `from` in a subquery: a table and a `where` clause. Selects the use of the outer query's row
 * `contract` in the current UTC month, if the use was counted for the present metric and limit of the quota.
 */
export const presentUse: Fragment = sql`
  contract_use
   where contract_use.contract_id = contract.id and contract_use.metric = contract.quota_metric
     and contract_use.quota_limit = contract.quota_limit
     and contract_use.month = to_char(now() at time zone 'UTC', 'YYYY-MM')`;
