import type { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import { type Database, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { invalidValue, refuseTooMany, Violations } from '@platform/values';

const mostContracts = 100;
/** The end of the year 9999, in Unix seconds. */
const lastMoment = 253_402_300_799;

/** Sums up billable use under contracts. The marketplace listener reports this use to marketplaces. */
export function sumUseOfContracts(database: Database): Handler<typeof UsageLookupServiceService.sumUseOfContracts> {
  return async ({ contractIds, fromMonth, until }, { deadline }) => {
    refuseTooMany('contract_ids', contractIds, mostContracts);
    const violations = new Violations();
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(fromMonth)) violations.note('from_month', 'must be a month such as 2026-11');
    if (until < 0 || until > lastMoment) violations.note('until', 'must be Unix seconds');
    violations.refuse(invalidValue);
    const untilUs = until * 1_000_000;
    const uses = await database.query(sql<{ product: string; month: string; cpu: string; memory: string }>`
      select contract.product as "product", to_char(segment.month, 'YYYY-MM') as "month",
             sum(cpu * (least(to_us, ${untilUs}::bigint) - from_us))::text as "cpu",
             sum(memory * (least(to_us, ${untilUs}::bigint) - from_us))::text as "memory"
        from contract join usage_segment segment
          on segment.product = contract.product and segment.owner_id = contract.owner_id
         and segment.contract_id = contract.id
       where contract.id = any (${contractIds}::bigint[]) and segment.month >= (${fromMonth} || '-01')::date
         and segment.class in ('prod', 'nonProd') and segment.from_us < ${untilUs}::bigint
       group by 1, 2 order by 1, 2`, { deadline });
    return { uses };
  };
}
