import type {
  MeteredBillingServiceService, ReportUsageToProviderARequest,
} from '@platform/proto/marketplace/v1/metering';
import type { Handler } from '@platform/rpc';
import { lengthProblem, Violations } from '@platform/values';
import type { Providers } from '../../providers/open-providers.ts';
import { notSetUp, passingRefusals } from './provider-faults.ts';

/** Maximum quantity, because the provider takes signed 32-bit integers. */
const mostQuantity = 2 ** 31 - 1;

/** POST /proxy/metered-billing/marketplaces/providera/report-usage (open-points 11.6, 11.8). */
export function reportUsageToProviderA(
  { a }: Providers,
): Handler<typeof MeteredBillingServiceService.reportUsageToProviderA> {
  return async (request, { deadline }) => {
    const usage = usageIn(request);
    if (a === undefined) throw notSetUp('the metering of provider A');
    return { meteringRecordId: await passingRefusals(a.report(usage, deadline)) };
  };
}

function usageIn(request: ReportUsageToProviderARequest) {
  const { productCode = '', timestamp, usageDimension = '', usageQuantity: quantity = 0, usageAllocations } = request;
  const violations = new Violations();
  violations.note('ProductCode', lengthProblem(productCode, { least: 1, most: 255 }));
  violations.note('UsageDimension', lengthProblem(usageDimension, { least: 1, most: 255 }));
  violations.note('UsageQuantity', quantityProblem(quantity));
  let sum = 0;
  usageAllocations.forEach(({ allocatedUsageQuantity = 0 }, place) => {
    violations.note(`UsageAllocations[${place}].AllocatedUsageQuantity`, quantityProblem(allocatedUsageQuantity));
    sum += allocatedUsageQuantity;
  });
  if (usageAllocations.length > 0 && sum !== quantity) {
    violations.note('UsageAllocations', `must add up to UsageQuantity (${quantity}); the sum is ${sum}`);
  }
  violations.refuse();
  return {
    productCode, timestamp: timestamp!, dimension: usageDimension, quantity, dryRun: request.dryRun ?? false,
    allocations: usageAllocations.map(({ allocatedUsageQuantity = 0, tags }) => ({
      quantity: allocatedUsageQuantity, tags: tags.map(({ key = '', value = '' }) => ({ key, value })),
    })),
  };
}

function quantityProblem(quantity: number): string | undefined {
  return quantity >= 0 && quantity <= mostQuantity ? undefined : `must be between 0 and ${mostQuantity}`;
}
