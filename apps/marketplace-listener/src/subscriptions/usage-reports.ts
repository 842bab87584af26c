import { type Queryable, sql } from '@platform/postgres';
import { insertAudit } from '../audit/store.ts';
import { move, type State } from './state.ts';

/**
 * Counts a usage report, in the transaction that notes the report as done. The first report makes a subscription
 * `Running` (open-points 11.3). @param data the report, without secrets
 */
export async function noteAcceptedReport(
  queryable: Queryable, subscriptionId: number, data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { state } = await queryable.one(sql<{ state: State }>`
    select state from subscription where id = ${subscriptionId} for no key update`);
  await queryable.execute(sql`
    update subscription
       set state = ${move(state, 'usage accepted')?.to ?? state}, billing_events = billing_events + 1,
           last_billing_event_at = now(), updated_at = now()
     where id = ${subscriptionId}`);
  await insertAudit(queryable, subscriptionId, {
    operation: 'report-usage', status: 'success', description: 'The provider accepted a usage report.', data,
  });
}
