import { type Queryable, sql } from '@platform/postgres';
import type { MeteringAdminServiceService, ResentReport } from '@platform/proto/marketplace/v1/metering';
import type { Handler } from '@platform/rpc';
import { invalidValue, refuseTooMany, uuidProblem, Violations } from '@platform/values';
import { insertEntries } from '../audit/store.ts';
import type { Parts } from '../parts.ts';
import { isMetered } from './bucket-store.ts';

/** Maximum number of reports in one call. One transaction locks all of them. */
const most = 1_000;

/** `platform admin metering resend`: adds the usage of abandoned reports to the next hour. */
export function resendReports({ database }: Parts): Handler<typeof MeteringAdminServiceService.resendReports> {
  return async ({ ids }, { deadline }) => {
    refuseTooMany('ids', ids, most);
    const violations = new Violations();
    for (const [index, id] of ids.entries()) violations.note(`ids[${index}]`, uuidProblem(id));
    violations.refuse(invalidValue);
    const resent = await database.transact((transaction) => resendExpired(transaction, ids), { deadline });
    return { reports: resent.map(({ hour, ...report }) => ({ ...report, hour: hour.toISOString() })) };
  };
}

type Resent = Omit<ResentReport, 'hour'> & { readonly hour: Date };

/**
 * Adds the usage of expired reports to the next hour that is closed, because the provider no longer accepts their
 * hours. Skips reports in other states, and subscriptions that are no longer metered. Locks the metered subscriptions,
 * so that no hour is closed at the same time.
 * @param ids empty for all expired reports
 * @returns the resent reports, at most `most`
 */
export async function resendExpired(transaction: Queryable, ids: readonly string[]): Promise<Resent[]> {
  const metered = await transaction.query(sql<{ id: number }>`
    select metered.subscription_id as id
      from metered_subscription metered join subscription on subscription.id = metered.subscription_id
     where ${isMetered} and exists (
             select from usage_bucket bucket
              where bucket.subscription_id = subscription.id and bucket.state = 'expired'
                and (${ids.length === 0} or bucket.id = any(${ids}::uuid[]))
           )
     order by metered.subscription_id
       for update of metered`);
  const resent = await transaction.query(sql<Resent>`
    update usage_bucket set state = 'resent'
     where id in (
             select id from usage_bucket
              where subscription_id = any(${metered.map(({ id }) => id)}::bigint[]) and state = 'expired'
                and (${ids.length === 0} or id = any(${ids}::uuid[]))
              order by subscription_id, hour, dimension limit ${most}
           )
    returning id, subscription_id as "subscriptionId", dimension, hour, quantity`);
  await transaction.execute(sql`
    update usage_bucket last set counted = counted - given.quantity
      from (
             select subscription_id, dimension, sum(quantity)::bigint as quantity
               from usage_bucket where id = any(${resent.map(({ id }) => id)}::uuid[]) group by 1, 2
           ) given
     where last.subscription_id = given.subscription_id and last.dimension = given.dimension
       and last.hour = (
             select max(hour) from usage_bucket
              where subscription_id = given.subscription_id and dimension = given.dimension
           )`);
  await insertEntries(transaction, resent.map(({ subscriptionId, hour, ...report }) => ({
    subscriptionId, operation: 'report-usage', status: 'success', data: { ...report, hour: hour.toISOString() },
    description: 'The operator added the usage of an abandoned report to the next hourly report.',
  })));
  return resent;
}
