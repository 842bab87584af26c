import type { UseOfMonth } from '@platform/proto/billing/v1/lookup';
import type { OutgoingContext } from '@platform/rpc';
import type { Logger } from '@platform/service';
import type { Parts } from '../parts.ts';
import { closeHour, type DueSubscription, findDueSubscriptions, hourMs, takenForHours } from './bucket-store.ts';
import { dimensionOf } from './dimensions.ts';

/** Minimum time from the end of an hour until the hour is closed, in milliseconds (open-points 11.4). */
const closesAfterMs = 600_000;
/**
 * Number of hours that remain for sending reports after a long outage. Only the last `takenForHours - hoursForReports`
 * hours are then closed one by one, so that the provider still accepts their reports. The first of these hours also
 * counts all earlier use.
 */
const hoursForReports = 2;

/**
 * Counts the new use of each subscription, up to the last hour that ended at least 10 minutes before `now`. Adds jobs
 * that report this use to the provider.
 * @throws AggregateError if this failed for some subscriptions; the next run tries again
 */
export async function closeHours(
  { database, usage }: Pick<Parts, 'database'> & { readonly usage: Pick<Parts['usage'], 'sumUseOfContracts'> },
  now: Date, job: OutgoingContext & { readonly log: Logger },
): Promise<void> {
  const lastEnd = new Date(Math.floor((now.getTime() - closesAfterMs) / hourMs) * hourMs);
  const failures: unknown[] = [];
  for (const subscription of await findDueSubscriptions(database, lastEnd, { deadline: job.deadline })) {
    try {
      await closeHoursOf(subscription);
    } catch (error) {
      failures.push(error);
      job.log.warn({ subscription: subscription.id, error }, 'cannot make the hourly usage reports of a subscription');
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'cannot make the hourly usage reports of some subscriptions');
  }

  async function closeHoursOf(subscription: DueSubscription): Promise<void> {
    let { closedUntil } = subscription;
    const fromMonth = subscription.boundAt.toISOString().slice(0, 7);
    const separateHours = takenForHours[subscription.marketplace] - hoursForReports;
    const earliest = lastEnd.getTime() - (separateHours - 1) * hourMs;
    while (closedUntil < lastEnd) {
      const end = new Date(Math.max(closedUntil.getTime() + hourMs, earliest));
      // Read all use, because late events and changed contracts may change the use of earlier hours (open-points 7.3).
      const { uses } = await usage.sumUseOfContracts({
        contractIds: [...subscription.contractIds], fromMonth, until: end.getTime() / 1000,
      }, job);
      const closing = { ...subscription, closedUntil, end, totals: totalsOf(uses), now };
      await database.transact((transaction) => closeHour(transaction, closing), { deadline: job.deadline });
      closedUntil = end;
    }
  }
}

function totalsOf(uses: readonly UseOfMonth[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { product, cpu, memory } of uses) {
    for (const [resource, amount] of [['cpu', cpu], ['memory', memory]] as const) {
      const dimension = dimensionOf(product, resource);
      totals.set(dimension, (totals.get(dimension) ?? 0n) + BigInt(amount));
    }
  }
  return totals;
}
