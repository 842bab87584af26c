import { type Queryable, sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import { type Deadline, DeadlineExceeded, type Logger } from '@platform/service';
import { insertAudit } from '../audit/store.ts';
import { openToken } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { alert } from '../subscriptions/alert.ts';
import { move, type State } from '../subscriptions/state.ts';
import {
  findWaitingBucket, forgetAlert, hourMs, noteAlerted, settleBucket, takenForHours, type WaitingBucket,
} from './bucket-store.ts';
import { reportThrough } from './proxy-client.ts';

export interface ReportParts extends Pick<Parts, 'breaker' | 'database' | 'sealer'> {
  readonly providers: Pick<Parts['providers'], 'b'>;
  readonly config: Pick<Parts['config'], 'alertEmails' | 'providerAProductCode' | 'providerCServiceName'>;
}

/** How long a report may wait before an alert is sent, in milliseconds. */
const alertsAfterMs = 3 * hourMs;

/**
 * Reports the use in a bucket to the provider, unless the report was accepted or abandoned before. The report may be
 * repeated, because the provider counts equal reports once. If the report fails and is too old for the provider
 * (`takenForHours`), the report is abandoned.
 * @throws the error of a report that is not too old. The calling job then repeats the report
 */
export async function reportBucket(
  parts: ReportParts, bucketId: string, now: Date, { deadline, log }: { deadline: Deadline; log: Logger },
): Promise<void> {
  const { database, config } = parts;
  const bucket = await findWaitingBucket(database, bucketId, { deadline });
  if (bucket === undefined) return;
  const { subscriptionId, closedAt, marketplace, hour } = bucket;
  const late = new Date(now.getTime() - alertsAfterMs);
  try {
    await parts.breaker.call(receiverOf(bucket), () => send(parts, bucket, deadline));
  } catch (error) {
    const reason = reasonOf(error);
    const isExpired = now.getTime() - hour.getTime() > takenForHours[marketplace] * hourMs;
    // Both transactions of this function lock rows in the same order: bucket, metered subscription, subscription.
    await database.transact(async (transaction) => {
      const isGivenUp = isExpired && await settleBucket(transaction, bucketId, 'expired');
      const isLate = closedAt < late && await noteAlerted(transaction, subscriptionId, now);
      if (isGivenUp) {
        await insertAudit(transaction, subscriptionId, {
          operation: 'report-usage', status: 'failure', data: dataOf(bucket),
          description: `The provider no longer accepts the usage report. The last attempt failed because ${reason}`,
        });
      }
      if (isLate) {
        await alert(transaction, subscriptionId, config.alertEmails,
          `a usage report has been waiting for more than 3 hours, because ${reason}`);
      }
    }, { deadline });
    if (!isExpired) throw error;
    log.error({ bucket: bucketId, subscription: subscriptionId, error }, 'a usage report was abandoned');
    return;
  }
  await database.transact(async (transaction) => {
    const isFirst = await settleBucket(transaction, bucketId, 'accepted');
    await forgetAlert(transaction, subscriptionId, late);
    if (isFirst) await noteAcceptedReport(transaction, subscriptionId, dataOf(bucket));
  }, { deadline });
}

/** Counts and audits an accepted report. A subscription that is `Bounded` becomes `Running` (open-points 11.3). */
async function noteAcceptedReport(
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

function receiverOf({ marketplace, hostedBaseUrl }: WaitingBucket): string {
  return marketplace === 'ProviderB' ? 'the metering of provider B' : `the platform at ${hostedBaseUrl}`;
}

async function send(parts: ReportParts, bucket: WaitingBucket, deadline: Deadline): Promise<void> {
  const { dimension, quantity, hour } = bucket;
  switch (bucket.marketplace) {
    case 'ProviderA':
      return reportThrough({ ...proxyOf(parts, bucket), provider: 'providera' }, {
        ProductCode: known(parts.config.providerAProductCode, 'marketplace.providera.productCode'),
        Timestamp: hour.toISOString(), UsageDimension: dimension, UsageQuantity: quantity,
      }, deadline);
    case 'ProviderB':
      return known(parts.providers.b, 'a client credential of provider B').report({
        resourceUri: known(bucket.applicationId, 'the application'), planId: bucket.planName ?? '', dimension, quantity,
        startTime: hour,
      }, deadline);
    case 'ProviderC':
      return reportThrough({ ...proxyOf(parts, bucket), provider: 'providerc' }, {
        name: bucket.id, startTime: hour.toISOString(), endTime: new Date(hour.getTime() + hourMs).toISOString(),
        labels: {}, value: { int64Value: quantity }, dimension,
        serviceName: known(parts.config.providerCServiceName, 'marketplace.providerc.serviceName'),
      }, deadline);
  }
}

function proxyOf({ sealer }: ReportParts, bucket: WaitingBucket) {
  return {
    hostedBaseUrl: known(bucket.hostedBaseUrl || undefined, 'the metering URL of the installer'),
    token: openToken(sealer, bucket),
  };
}

/** @throws Fault INVALID_VALUE if the value is missing. A later attempt can succeed, after the value is set. */
function known<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Fault('INVALID_VALUE', `${what} is not set`);
  return value;
}

function dataOf({ id, dimension, hour, quantity }: WaitingBucket): Record<string, unknown> {
  return { id, dimension, hour: hour.toISOString(), quantity };
}

/** The reason for a failure, for audit entries and mails. Contains no details of internal errors. */
function reasonOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return 'the receiver did not answer in time';
  return error instanceof Fault || (error instanceof Error && error.name === 'ProviderRefusal')
    ? error.message : 'of an internal error';
}
