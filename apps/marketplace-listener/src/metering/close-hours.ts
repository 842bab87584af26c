import type { Database } from '@platform/postgres';
import type { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import type { Logger } from '@platform/service';
import type { Marketplace } from '../marketplaces.ts';
import { closeHour, type DueSubscription, findDueSubscriptions, type MonthUse } from './bucket-store.ts';
import { dimensionOf } from './dimensions.ts';

export interface ClosingParts {
  readonly database: Database;
  /** Usage, at billing-dashboard. */
  readonly usage: Pick<RpcClient<typeof UsageLookupServiceService>, 'sumUseOfContracts'>;
}

const hourMs = 3_600_000;
/** An hour is closed so long after its end (open-points 11.4). */
const closesAfterMs = 600_000;
/** Events of so long ago change what was used (open-points 7.3). */
const latestEventMs = 35 * 86_400_000;

/**
 * How many hours back are closed one by one: the provider must still take their reports. What was used before, while
 * this service was down, is in the bucket of the first of them.
 */
const separateHours: Readonly<Record<Marketplace, number>> = { ProviderA: 4, ProviderB: 22, ProviderC: 22 };

/**
 * Puts the use of each subscription into buckets, up to the last hour that ended 10 minutes before `now`.
 * @throws AggregateError when not all could be closed; a repeat goes on with the others
 */
export async function closeHours(
  { database, usage }: ClosingParts, now: Date, job: OutgoingContext & { readonly log: Logger },
): Promise<void> {
  const lastEnd = new Date(Math.floor((now.getTime() - closesAfterMs) / hourMs) * hourMs);
  const failures: unknown[] = [];
  for (const subscription of await findDueSubscriptions(database, lastEnd, { deadline: job.deadline })) {
    try {
      await closeHoursOf(subscription, lastEnd);
    } catch (error) {
      failures.push(error);
      job.log.warn({ subscription: subscription.id, error }, 'the usage of a subscription cannot be closed');
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the usage of some subscriptions cannot be closed');

  async function closeHoursOf(subscription: DueSubscription, last: Date): Promise<void> {
    let { closedUntil } = subscription;
    const earliest = last.getTime() - (separateHours[subscription.marketplace] - 1) * hourMs;
    while (closedUntil < last) {
      const end = new Date(Math.max(closedUntil.getTime() + hourMs, earliest));
      const changesFrom = Math.min(end.getTime() - latestEventMs, closedUntil.getTime());
      const fromMonth = new Date(changesFrom).toISOString().slice(0, 7);
      const { uses } = await usage.sumUseOfContracts({
        contractIds: [...subscription.contractIds], fromMonth, until: end.getTime() / 1000,
      }, job);
      const known: MonthUse[] = uses.flatMap(({ product, month, cpu, memory }) => [
        { dimension: dimensionOf(product, 'cpu'), month, amount: BigInt(cpu) },
        { dimension: dimensionOf(product, 'memory'), month, amount: BigInt(memory) },
      ]);
      const closing = { subscription: { ...subscription, closedUntil }, end, fromMonth, uses: known, now };
      await database.transact((transaction) => closeHour(transaction, closing), { deadline: job.deadline });
      closedUntil = end;
    }
  }
}
