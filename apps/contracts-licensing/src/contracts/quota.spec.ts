import { describe, expect, it } from '@jest/globals';
import type { QuotaInput } from '@platform/proto/contracts/v1/contract';
import { mergeQuota, noQuota, type Quota } from './quota.ts';

const thresholds = (...items: number[]): Partial<QuotaInput> => ({ alertThresholds: { items } });
const merged = (before: Quota, input: Partial<QuotaInput>) => mergeQuota(before, input as QuotaInput);

describe('the quota of a contract (open-points 5.1, 5.7)', () => {
  const set: Quota = {
    enabled: true, metric: 'cpu_core_month', limit: 1.5, alertThresholds: [50], disableLicenseOnLimitReached: true,
  };

  it('is not enabled by default', () => {
    expect(mergeQuota(noQuota, undefined)).toEqual({
      enabled: false, metric: '', limit: 0, alertThresholds: [], disableLicenseOnLimitReached: false,
    });
  });

  it.each<[Partial<QuotaInput>, Partial<Quota>]>([
    [{}, {}],
    [{ limit: 2 }, { limit: 2 }],
    [{ enabled: false }, { enabled: false }],
    [{ enabled: false, limit: 0 }, { enabled: false, limit: 0 }],
    [{ metric: 'memory_gib_month' }, { metric: 'memory_gib_month' }],
    [{ metric: 'clusters', limit: 3 }, { metric: 'clusters', limit: 3 }],
    [{ metric: '', limit: 3 }, { metric: 'clusters', limit: 3 }],
    [thresholds(), { alertThresholds: [] }],
    [thresholds(100, 1, 80, 80), { alertThresholds: [1, 80, 100] }],
    [{ disableLicenseOnLimitReached: false }, { disableLicenseOnLimitReached: false }],
  ])('%j changes what it names', (input, change) => {
    expect(merged(set, input)).toEqual({ ...set, ...change });
  });

  it('counts clusters when it is enabled without a metric', () => {
    expect(merged(noQuota, { enabled: true, limit: 1 })).toMatchObject({ metric: 'clusters' });
    expect(merged(noQuota, { limit: 1.5 })).toMatchObject({ enabled: false, metric: '', limit: 1.5 });
  });

  it.each<[Quota, Partial<QuotaInput>, string]>([
    [noQuota, { metric: 'pods' }, 'quota.metric'],
    [noQuota, { metric: 'Clusters' }, 'quota.metric'],
    [noQuota, { limit: -1 }, 'quota.limit'],
    [noQuota, { limit: Number.POSITIVE_INFINITY }, 'quota.limit'],
    [noQuota, { limit: Number.NaN }, 'quota.limit'],
    [noQuota, { enabled: true }, 'quota.limit'],
    [set, { limit: 0 }, 'quota.limit'],
    [set, { metric: 'clusters' }, 'quota.limit'],
    [noQuota, { enabled: true, metric: 'clusters', limit: 0.5 }, 'quota.limit'],
    [noQuota, thresholds(50, 0), 'quota.alertThresholds[1]'],
    [noQuota, thresholds(101), 'quota.alertThresholds[0]'],
    [noQuota, thresholds(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), 'quota.alertThresholds'],
  ])('%j refuses %j at %s', (before, input, path) => {
    expect(() => merged(before, input)).toThrow(expect.objectContaining({
      reason: 'INVALID_QUOTA', violations: [expect.objectContaining({ path })],
    }));
  });
});
