import { addJobs, defineTask } from '@platform/jobs';
import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { SealedToken } from '../installers/store.ts';
import type { Marketplace } from '../marketplaces.ts';
import { unitsOf } from './dimensions.ts';

export const reportUsage = defineTask<{ bucketId: string }>('report-usage');

/** A subscription with hours to close. After an hour is closed, the use reported for the hour no longer changes. */
export interface DueSubscription {
  readonly id: number;
  readonly marketplace: Marketplace;
  readonly contractIds: readonly number[];
  readonly boundAt: Date;
  /** The end of the last closed hour; before the first closing, the start of the hour that contains `boundAt`. */
  readonly closedUntil: Date;
}

export const hourMs = 3_600_000;

/** How long a provider accepts the report of an hour, in hours from the start of the reported hour. */
export const takenForHours: Readonly<Record<Marketplace, number>> = { ProviderA: 6, ProviderB: 24, ProviderC: 24 };

/** An event that arrives more than this number of days late does not change the use (open-points 7.3). */
const latestEventDays = 35;

/**
 * SQL condition on rows `subscription` and `metered`: the use of the subscription must be reported. Reporting continues
 * for `latestEventDays` days after the contracts are revoked, because events may arrive late.
 */
export const isMetered = sql`
  bound_at is not null and contract_ids <> '{}'
    and (contracts <> 'revoked' or metered.closed_until is null
         or metered.closed_until < coalesce(revoked_at, updated_at) + make_interval(days => ${latestEventDays}))`;

/**
 * Finds the subscriptions for which at least one hour can be closed, ordered by the end of the last closed hour.
 * @param lastEnd the end of the last hour that may be closed
 */
export function findDueSubscriptions(
  queryable: Queryable, lastEnd: Date, options: QueryOptions,
): Promise<DueSubscription[]> {
  return queryable.query(sql<DueSubscription>`
    select id, marketplace, contract_ids as "contractIds", bound_at as "boundAt", until.closed as "closedUntil"
      from subscription left join metered_subscription metered on metered.subscription_id = id
     cross join lateral (
             select coalesce(metered.closed_until, date_trunc('hour', bound_at, 'UTC')) as closed
           ) until
     where ${isMetered} and until.closed < ${lastEnd}
     order by until.closed, id`, options);
}

/**
 * Closes the period from `closedUntil` to `end`. For each dimension with uncounted use, adds a bucket for the last hour
 * of the period, and a job that reports the bucket. Does nothing if another replica has closed the period.
 * @param totals all use of each dimension up to `end`, as known now, before rounding
 */
export async function closeHour(
  transaction: Queryable,
  { id, closedUntil, end, totals, now }: DueSubscription & { end: Date; totals: Map<string, bigint>; now: Date },
): Promise<void> {
  await transaction.execute(sql`
    insert into metered_subscription (subscription_id, closed_until) values (${id}, ${closedUntil})
        on conflict (subscription_id) do nothing`);
  const moved = await transaction.execute(sql`
    update metered_subscription set closed_until = ${end}
     where subscription_id = ${id} and closed_until = ${closedUntil}`);
  if (moved === 0) return;
  // A quantity is the total use minus the use that was counted before. So rounding loses no use and counts none twice.
  const before = await transaction.query(sql<{ dimension: string; counted: string }>`
    select dimension, coalesce((
             select counted from usage_bucket bucket
              where bucket.subscription_id = ${id} and bucket.dimension = used.dimension
              order by hour desc limit 1
           ), 0)::text as "counted"
      from unnest(${[...totals.keys()]}::text[]) as used (dimension)`);
  const buckets = before.flatMap(({ dimension, counted }) => {
    const total = unitsOf(dimension, totals.get(dimension)!);
    const quantity = total - BigInt(counted);
    return quantity > 0n ? [{ dimension, quantity: quantity.toString(), counted: total.toString() }] : [];
  });
  if (buckets.length === 0) return;
  const inserted = await transaction.query(sql<{ id: string }>`
    insert into usage_bucket (subscription_id, dimension, hour, quantity, counted, closed_at)
    select ${id}, dimension, ${new Date(end.getTime() - hourMs)}, quantity, counted, ${now}
      from jsonb_to_recordset(${sql.json(buckets)}::jsonb) as given (dimension text, quantity bigint, counted bigint)
    returning id`);
  await addJobs(transaction, inserted.map(({ id }) => reportUsage({ bucketId: id })));
}

/** A bucket whose report is neither accepted nor abandoned, with the data of the report. */
export interface WaitingBucket extends SealedToken {
  readonly id: string;
  readonly subscriptionId: number;
  readonly marketplace: Marketplace;
  readonly dimension: string;
  readonly hour: Date;
  readonly quantity: number;
  readonly closedAt: Date;
  readonly hostedBaseUrl: string;
  /** Null for providers A and C. */
  readonly applicationId: string | null;
  readonly planName: string | null;
}

export function findWaitingBucket(
  queryable: Queryable, id: string, options: QueryOptions,
): Promise<WaitingBucket | undefined> {
  return queryable.maybeOne(sql<WaitingBucket>`
    select bucket.id, subscription.id as "subscriptionId", subscription.marketplace, dimension, hour, quantity,
           closed_at as "closedAt", installer.public_id as "tokenOf",
           coalesce(hosted_base_url, '') as "hostedBaseUrl", installer.sealed_by as "keyId",
           installer.sealed_secret as "bytes", application_id as "applicationId", plan ->> 'name' as "planName"
      from usage_bucket bucket
      join subscription on subscription.id = bucket.subscription_id
      left join installer on installer.id = subscription.installer_id
     where bucket.id = ${id} and bucket.state = 'waiting'`, options);
}

/** Notes that the report of a bucket was accepted or abandoned. @returns false when an outcome was noted before */
export async function settleBucket(queryable: Queryable, id: string, state: 'accepted' | 'expired'): Promise<boolean> {
  return (await queryable.execute(sql`
    update usage_bucket set state = ${state} where id = ${id} and state = 'waiting'`)) > 0;
}

/** Notes that an alert is sent. @returns false if an alert is already noted */
export async function noteAlerted(queryable: Queryable, subscriptionId: number, now: Date): Promise<boolean> {
  return (await queryable.execute(sql`
    update metered_subscription set alerted_at = ${now}
     where subscription_id = ${subscriptionId} and alerted_at is null`)) > 0;
}

/** Allows another alert, unless a report has been waiting since before `closedBefore`. */
export async function forgetAlert(queryable: Queryable, subscriptionId: number, closedBefore: Date): Promise<void> {
  await queryable.execute(sql`
    update metered_subscription set alerted_at = null
     where subscription_id = ${subscriptionId} and alerted_at is not null
       and not exists (
         select from usage_bucket
          where subscription_id = ${subscriptionId} and state = 'waiting' and closed_at < ${closedBefore}
       )`);
}
