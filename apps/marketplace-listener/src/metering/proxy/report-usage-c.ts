import { createHash } from 'node:crypto';
import type {
  MeteredBillingServiceService, MeteredValue, ReportUsageToProviderCRequest,
} from '@platform/proto/marketplace/v1/metering';
import type { Handler } from '@platform/rpc';
import { lengthProblem, Violations } from '@platform/values';
import type { UsageOfC } from '../../providers/c/metering.ts';
import type { Providers } from '../../providers/open-providers.ts';
import { notSetUp, passingRefusals } from './provider-faults.ts';

/** POST /proxy/metered-billing/marketplaces/providerc/report-usage (open-points 11.6, 11.8). */
export function reportUsageToProviderC(
  { c }: Providers, { providerCServiceName }: { readonly providerCServiceName: string | undefined },
): Handler<typeof MeteredBillingServiceService.reportUsageToProviderC> {
  return async (request, { deadline }) => {
    const usage = usageIn(request, providerCServiceName);
    if (c === undefined) throw notSetUp('the metering of provider C');
    const data = await passingRefusals(c.report(usage, deadline));
    return { contentType: 'application/json', data, extensions: [] };
  };
}

function usageIn(request: ReportUsageToProviderCRequest, serviceNameHere: string | undefined): UsageOfC {
  const { name = '', startTime, endTime, labels, dimension = '', serviceName = '', value } = request;
  const violations = new Violations();
  violations.note('name', lengthProblem(name, { least: 1, most: 255 }));
  violations.note('dimension', lengthProblem(dimension, { least: 1, most: 255 }));
  if (endTime! <= startTime!) violations.note('endTime', 'must be after startTime');
  if (serviceNameHere !== undefined && serviceName !== serviceNameHere) {
    violations.note('serviceName', 'is not the service for which this platform reports usage');
  }
  const amount = amountIn(value!, violations);
  violations.refuse();
  // A repeated report gets the same id, even with another amount, so that the provider counts it once.
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const identity = JSON.stringify([name, serviceName, dimension, startTime, endTime, sorted]);
  const operationId = createHash('sha256').update(identity).digest('hex');
  return { operationId, dimension, startTime: startTime!, endTime: endTime!, labels, value: amount! };
}

function amountIn({ int64Value, doubleValue }: MeteredValue, violations: Violations): UsageOfC['value'] | undefined {
  const hasInteger = int64Value !== undefined && int64Value !== null;
  if (hasInteger === (doubleValue !== undefined)) {
    violations.note('value', 'must have exactly one of int64Value and doubleValue');
    return undefined;
  }
  if (doubleValue !== undefined) {
    if (doubleValue < 0) violations.note('value.doubleValue', 'must not be negative');
    return { doubleValue };
  }
  const text = integerText(int64Value);
  if (text !== undefined) return { int64Value: text };
  violations.note('value.int64Value', 'must be an integer from 0 to 9223372036854775807; send it as a string');
  return undefined;
}

function integerText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value) || BigInt(value) >= 2n ** 63n) return undefined;
  return BigInt(value).toString();
}
