import { addJobs } from '@platform/jobs';
import { type Database, type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { isActive } from '../contracts/binding-row.ts';
import { insertEvents, monthOf, noteOnce, system } from '../contracts/events.ts';
import { presentUse } from '../projections/apply-quota-use.ts';
import { sendQuotaAlert } from './mails.ts';

interface ReachedThresholds {
  readonly contractId: number;
  readonly metric: string;
  readonly used: number;
  readonly limit: number;
  /** Reached thresholds that are not recorded for this month yet, in per cent, ascending. */
  readonly thresholds: readonly number[];
  readonly recipients: readonly string[];
}

/**
 * Records which quota thresholds active contracts have reached, each once a month, and creates jobs for alert mails
 * (open-points 5.1). A mail names only the highest new threshold (5.7).
 */
export async function noteThresholds(database: Database, deadline: Deadline): Promise<void> {
  const month = monthOf(new Date());
  for (const { contractId } of await database.query(reachedThresholds(month, sql`true`), { deadline })) {
    await database.transact(async (transaction) => {
      // The contract may have changed since it was read.
      const reached = await transaction.maybeOne(sql<ReachedThresholds>`
        ${reachedThresholds(month, sql`contract.id = ${contractId}`)} for share of contract`);
      if (reached === undefined) return;
      const { metric, used, limit, thresholds, recipients } = reached;
      const fresh: number[] = [];
      for (const threshold of thresholds) {
        const event = `quota.threshold_reached ${threshold}` as const;
        if (!(await noteOnce(transaction, contractId, event, month))) continue;
        await insertEvents(transaction, system, [{ contractId, event }]);
        fresh.push(threshold);
      }
      const highest = fresh.at(-1);
      if (highest === undefined) return;
      await addJobs(transaction, recipients.map((to) =>
        sendQuotaAlert({ contractId, threshold: highest, metric, used, limit, month, to })));
    }, { deadline });
  }
}

function reachedThresholds(month: string, which: Fragment) {
  return sql<ReachedThresholds>`
    select contract.id as "contractId", quota_metric as "metric", quota_limit as "limit", present.used,
           reached.thresholds,
           array(select distinct unnest(usage_alert_client || usage_alert_admin)) as "recipients"
      from contract
     cross join lateral (
             select count(*)::double precision as used, floor(count(*) * 100 / nullif(quota_limit, 0)) as percent
               from licensed_cluster where contract_id = contract.id
             having quota_metric = 'clusters'
             union all
             select contract_use.used, contract_use.percent from ${presentUse}
           ) as present
     cross join lateral (
             select array_agg(threshold order by threshold) as thresholds
               from unnest(quota_thresholds) as threshold
              where threshold <= present.percent
                and not exists (
                  select from contract_notice
                   where contract_id = contract.id and event = 'quota.threshold_reached ' || threshold
                     and period = ${month}
                )
           ) as reached
     where ${which} and quota_enabled and quota_thresholds <> '{}'
       and ${isActive(sql`contract`)} and reached.thresholds is not null
     order by contract.id`;
}
