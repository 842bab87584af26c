import { describe, expect, it } from '@jest/globals';
import { reportOn } from './outage-report.ts';

const hourMs = 3_600_000;
const outage = (given: { accountId?: number; clusterId?: string; hours?: number; tags?: string[] }) => ({
  accountId: 0, clusterId: '', tags: [], ...given,
  accountName: given.accountId === undefined ? null : `account-${given.accountId}`,
  start: new Date(0), end: new Date((given.hours ?? 1) * hourMs),
});
const percentages = (parts: readonly { percentage: number }[]) => parts.map(({ percentage }) => percentage);
const tenthsOf = (parts: readonly { percentage: number }[]) =>
  percentages(parts).reduce((sum, one) => sum + Math.round(one * 10), 0);

describe('a report on outages (open-points 8.5)', () => {
  it('of none has zeros and empty lists', () => {
    expect(reportOn([], new Map())).toEqual({
      totalOutages: 0, totalDurationHours: 0, topTagsPercentage: [], topAccountsDuration: [], topClustersDuration: [],
    });
  });

  it('rounds hours to two decimals', () => {
    expect(reportOn([outage({ hours: 1 / 3 }), outage({ hours: 1 / 3 })], new Map()).totalDurationHours).toBe(0.67);
  });

  it.each([
    [3, [33.4, 33.3, 33.3], 1_000], [6, [16.7, 16.7, 16.7, 16.7, 16.6, 16.6], 1_000], [1, [100], 1_000],
    [7, [14.3, 14.3, 14.3, 14.3, 14.3, 14.3, 14.2], 1_000],
  ])('of %i equal parts has percentages of 100 in sum', (count, expected, sum) => {
    const parts = Array.from({ length: count }, (_, place) => outage({ accountId: place + 1, tags: [`tag-${place}`] }));
    const report = reportOn(parts, new Map());
    expect(percentages(report.topAccountsDuration)).toEqual(expected);
    expect(percentages(report.topTagsPercentage)).toEqual(expected);
    expect(tenthsOf(report.topAccountsDuration)).toBe(sum);
  });

  it('has the ten largest, of the hours of all outages', () => {
    const parts = Array.from({ length: 12 }, (_, place) => outage({ clusterId: `c${place}`, hours: place + 1 }));
    const { topClustersDuration } = reportOn([...parts, outage({ hours: 22 })], new Map([['c11', 'main']]));
    expect(topClustersDuration).toHaveLength(10);
    expect(topClustersDuration[0]).toEqual({ entity: 'cluster', entityName: 'main', durationHours: 12, percentage: 12 });
    expect(topClustersDuration[9]).toEqual({ entity: 'cluster', entityName: 'c2', durationHours: 3, percentage: 3 });
  });

  it('adds up what concerns the same account and tag, and leaves out what concerns none', () => {
    const report = reportOn([
      outage({ accountId: 7, hours: 1, tags: ['dns', 'network'] }), outage({ accountId: 7, hours: 2, tags: ['dns'] }),
      outage({ hours: 3 }),
    ], new Map());
    expect(report).toEqual({
      totalOutages: 3, totalDurationHours: 6,
      topTagsPercentage: [{ tag: 'dns', percentage: 66.7 }, { tag: 'network', percentage: 33.3 }],
      topAccountsDuration: [{ entity: 'account', entityName: 'account-7', durationHours: 3, percentage: 50 }],
      topClustersDuration: [],
    });
  });
});
