import { createHash } from 'node:crypto';
import type { Deadline, Secret } from '@platform/service';
import { AwsV4Signer } from 'aws4fetch';
import { askProvider, isSuccess, type ProviderAnswer, ProviderRefusal, textOf, unreadable } from '../provider-http.ts';

export interface UsageOfA {
  readonly productCode: string;
  readonly timestamp: Date;
  readonly dimension: string;
  readonly quantity: number;
  /** Whether the provider only checks the report, without recording the usage. */
  readonly dryRun: boolean;
  readonly allocations: readonly {
    readonly quantity: number;
    readonly tags: readonly { readonly key: string; readonly value: string }[];
  }[];
}

/** Reports usage to provider A. The same record may be reported again: the provider recognizes repetitions. */
export interface MeteringOfA {
  /**
   * @returns the id of the record; empty for a dry run
   * @throws ProviderRefusal; Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded, after 10 s at the latest
   */
  report(usage: UsageOfA, deadline: Deadline): Promise<string>;
  /** Checks that the provider answers. Reports nothing. @throws Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded */
  reach(deadline: Deadline): Promise<void>;
}

const name = 'the metering of provider A';

/** Error codes that mean that the report or its sender caused the error (open-points 11.6, 11.8). */
const faultsOfReport: ReadonlySet<string> = new Set([
  'CustomerNotEntitledException', 'DuplicateRequestException', 'IdempotencyConflictException',
  'InvalidProductCodeException', 'InvalidTagException', 'InvalidUsageAllocationsException',
  'InvalidUsageDimensionException', 'ThrottlingException', 'TimestampOutOfBoundsException',
]);

/** Reports are sent as AWS JSON 1.1, and are signed with Signature Version 4 (ADR 0138). */
export function createMeteringOfA(
  { region, accessKey, secretKey, meteringUrl }:
  { region: string; accessKey: Secret; secretKey: Secret; meteringUrl: string | undefined },
): MeteringOfA {
  const address = new URL(meteringUrl ?? `https://metering.marketplace.${region}.amazonaws.com/`).href;
  return {
    report: async (usage, deadline) => {
      const record = requestOf(usage);
      // Equal records have equal tokens, so the provider recognizes repetitions.
      const token = createHash('sha256').update(JSON.stringify(record)).digest('hex');
      const body = JSON.stringify({ ...record, ClientToken: token });
      const signed = await new AwsV4Signer({
        method: 'POST', url: address, body, region, service: 'aws-marketplace',
        accessKeyId: accessKey.reveal(), secretAccessKey: secretKey.reveal(),
        headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'AWSMPMeteringService.MeterUsage' },
      }).sign();
      const headers = { ...Object.fromEntries(signed.headers), 'content-length': Buffer.byteLength(body) };
      const answer = await askProvider(name, address, { method: 'POST', headers, body, deadline });
      if (isSuccess(answer)) return usage.dryRun ? '' : recordIn(answer);
      const refusal = refusalIn(answer);
      // `DryRunOperation` is the answer to a dry run whose record would be accepted.
      if (usage.dryRun && refusal.code === 'DryRunOperation') return '';
      throw refusal;
    },
    reach: async (deadline) => {
      const { status } = await askProvider(name, address, { deadline });
      if (status >= 500) throw unreadable(name, status);
    },
  };
}

function requestOf({ productCode, timestamp, dimension, quantity, dryRun, allocations }: UsageOfA) {
  return {
    ProductCode: productCode, Timestamp: Math.floor(timestamp.getTime() / 1000),
    UsageDimension: dimension, UsageQuantity: quantity,
    ...(dryRun && { DryRun: true }),
    ...(allocations.length > 0 && {
      UsageAllocations: allocations.map(({ quantity: allocated, tags }) => ({
        AllocatedUsageQuantity: allocated,
        ...(tags.length > 0 && { Tags: tags.map(({ key, value }) => ({ Key: key, Value: value })) }),
      })),
    }),
  };
}

function recordIn({ status, json }: ProviderAnswer): string {
  const record = textOf(json, 'MeteringRecordId');
  if (record === '') throw unreadable(name, status);
  return record;
}

function refusalIn({ status, json }: ProviderAnswer): ProviderRefusal {
  // The type usually has the form `com.amazonaws.marketplacemetering#ThrottlingException`.
  const code = textOf(json, '__type').split('#').at(-1)!;
  if (json === undefined || code === '') throw unreadable(name, status);
  const message = textOf(json, 'message') || textOf(json, 'Message');
  return new ProviderRefusal({ code, message, isOfReport: faultsOfReport.has(code), error: json });
}
