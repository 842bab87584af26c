import type { Database } from '@platform/postgres';
import { Fault } from '@platform/faults';
import { type Deadline, DeadlineExceeded, type Logger, type Sealer } from '@platform/service';
import { insertAudit } from '../audit/store.ts';
import { openToken } from '../installers/store.ts';
import type { Providers } from '../providers/open-providers.ts';
import { alert } from '../subscriptions/alert.ts';
import { noteAcceptedReport } from '../subscriptions/usage-reports.ts';
import {
  findWaitingBucket, forgetAlert, hourMs, noteAlerted, settleBucket, takenForHours, type WaitingBucket,
} from './bucket-store.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { reportThrough } from './proxy-client.ts';

export interface ReportParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly providers: Pick<Providers, 'b'>;
  readonly breaker: CircuitBreaker;
  readonly config: {
    readonly alertEmails: readonly string[];
    readonly providerAProductCode: string | undefined;
    readonly providerCServiceName: string | undefined;
  };
}

/** A report that waits longer than this causes an alert. */
const alertsAfterMs = 3 * hourMs;

/**
 * Reports a bucket. Repeating it does no harm: the provider counts reports with the same id once.
 * @throws the failure of the report; the job repeats the report while the provider accepts it
 */
export async function reportBucket(
  parts: ReportParts, bucketId: string, now: Date, job: { readonly deadline: Deadline; readonly log: Logger },
): Promise<void> {
  const { database, config } = parts;
  const { deadline } = job;
  const bucket = await findWaitingBucket(database, bucketId, { deadline });
  if (bucket === undefined) return;
  const { subscriptionId, closedAt, marketplace, hour } = bucket;
  const late = new Date(now.getTime() - alertsAfterMs);
  try {
    await parts.breaker.call(receiverOf(bucket), () => send(parts, bucket, deadline));
  } catch (error) {
    const reason = reasonOf(error);
    const isExpired = now.getTime() - hour.getTime() > takenForHours[marketplace] * hourMs;
    // All transactions lock rows in the same order: bucket, metered subscription, subscription.
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
          `usage has not been reported for 3 hours, because ${reason}`);
      }
    }, { deadline });
    if (!isExpired) throw error;
    job.log.error({ bucket: bucketId, subscription: subscriptionId, error }, 'a usage report was abandoned');
    return;
  }
  await database.transact(async (transaction) => {
    const isFirst = await settleBucket(transaction, bucketId, 'accepted');
    await forgetAlert(transaction, subscriptionId, late);
    if (isFirst) await noteAcceptedReport(transaction, subscriptionId, dataOf(bucket));
  }, { deadline });
}

/** The receiver of the report: provider B itself, or the platform that was bought through provider A or C. */
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
      return known(parts.providers.b, 'the client credentials of provider B').report({
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
    hostedBaseUrl: known(bucket.hostedBaseUrl || undefined, 'the address for metering'),
    token: openToken(sealer, bucket),
  };
}

/** Requires a value. If it is missing, the report is tried again, because the operator can still set it. */
function known<Value>(value: Value | null | undefined, what: string): Value {
  if (value === undefined || value === null) throw new Fault('INVALID_VALUE', `${what} is not set`);
  return value;
}

function dataOf({ id, dimension, hour, quantity }: WaitingBucket): Record<string, unknown> {
  return { id, dimension, hour: hour.toISOString(), quantity };
}

/** The reason for a failure, for people outside the platform. It contains no internal details. */
function reasonOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return 'the marketplace did not answer in time';
  return error instanceof Fault || (error instanceof Error && error.name === 'ProviderRefusal')
    ? error.message : 'of an internal error';
}
