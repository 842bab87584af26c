import type { QuotaInput } from '@platform/proto/contracts/v1/contract';
import { Fault } from '@platform/faults';

const metrics = ['memory_gib_month', 'cpu_core_month', 'clusters'] as const;

/** How much may be used under a contract (open-points 5.1). */
export interface Quota {
  readonly enabled: boolean;
  /** Empty only while the quota is not enabled. */
  readonly metric: (typeof metrics)[number] | '';
  readonly limit: number;
  /** Percentages, ascending. */
  readonly alertThresholds: readonly number[];
  readonly disableLicenseOnLimitReached: boolean;
}

export const noQuota: Quota = {
  enabled: false, metric: '', limit: 0, alertThresholds: [], disableLicenseOnLimitReached: false,
};

const mostThresholds = 10;

/** Merges the given fields into the quota of a contract; absent fields stay. @throws Fault INVALID_QUOTA */
export function mergeQuota(before: Quota, input: QuotaInput | undefined): Quota {
  if (input === undefined) return before;
  const enabled = input.enabled ?? before.enabled;
  const metric = metricFrom(input.metric ?? before.metric) || (enabled ? 'clusters' : '');
  const limit = input.limit ?? before.limit;
  const alertThresholds = thresholdsFrom(input.alertThresholds?.items ?? before.alertThresholds);
  if (!Number.isFinite(limit) || limit < 0) throw invalidQuota('limit', 'must not be negative');
  if (enabled && limit === 0) throw invalidQuota('limit', 'must be above 0 while the quota is enabled');
  if (enabled && metric === 'clusters' && !Number.isInteger(limit)) {
    throw invalidQuota('limit', 'must be a whole number of clusters');
  }
  const disableLicenseOnLimitReached = input.disableLicenseOnLimitReached ?? before.disableLicenseOnLimitReached;
  return { enabled, metric, limit, alertThresholds, disableLicenseOnLimitReached };
}

function metricFrom(text: string): Quota['metric'] {
  const metric = metrics.find((known) => known === text);
  if (metric === undefined && text !== '') throw invalidQuota('metric', `must be one of ${metrics.join(', ')}`);
  return metric ?? '';
}

function thresholdsFrom(given: readonly number[]): readonly number[] {
  if (given.length > mostThresholds) throw invalidQuota('alertThresholds', `must have at most ${mostThresholds} items`);
  const outside = given.findIndex((threshold) => threshold < 1 || threshold > 100);
  if (outside >= 0) throw invalidQuota(`alertThresholds[${outside}]`, 'must be a percentage from 1 to 100');
  return [...new Set(given)].sort((one, other) => one - other);
}

function invalidQuota(field: string, message: string): Fault {
  const path = `quota.${field}`;
  return new Fault('INVALID_QUOTA', `${path} ${message}`, { violations: [{ path, message }] });
}
