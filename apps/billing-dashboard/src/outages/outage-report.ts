import type { DurationShare, OutageReport, TagShare } from '@platform/proto/billing/v1/outage';
import type { OutageRow } from './store.ts';

const longest = 10;

type Summed = Pick<OutageRow, 'accountId' | 'accountName' | 'clusterId' | 'start' | 'end' | 'tags'>;

/** Summarizes outages (open-points 8.5). @param clusterNames names by the `clusterId` of outages */
export function reportOn(outages: readonly Summed[], clusterNames: ReadonlyMap<string, string>): OutageReport {
  const whole = outages.map(durationOf).reduce(sum, 0);
  const ofAccounts = outages.filter(({ accountId }) => accountId !== 0).map((outage) => ({
    key: String(outage.accountId), name: outage.accountName ?? String(outage.accountId), amount: durationOf(outage),
  }));
  const ofClusters = outages.filter(({ clusterId }) => clusterId !== '').map((outage) => ({
    key: outage.clusterId, name: clusterNames.get(outage.clusterId) ?? outage.clusterId, amount: durationOf(outage),
  }));
  const uses = outages.flatMap(({ tags }) => tags.map((tag) => ({ key: tag, name: tag, amount: 1 })));
  return {
    totalOutages: outages.length,
    totalDurationHours: hours(whole),
    topTagsPercentage: shares(uses, uses.length).map(({ name, percentage }): TagShare => ({ tag: name, percentage })),
    topAccountsDuration: shares(ofAccounts, whole).map(durationShare('account')),
    topClustersDuration: shares(ofClusters, whole).map(durationShare('cluster')),
  };
}

interface Part {
  readonly key: string;
  readonly name: string;
  readonly amount: number;
}

/** Sums up parts by key. Returns the largest sums, at most ten, each with its percentage of `whole`. */
function shares(parts: readonly Part[], whole: number): (Part & { readonly percentage: number })[] {
  const sums = [...Map.groupBy(parts, ({ key }) => key).values()].map((own) => {
    return { ...own[0]!, amount: own.map(({ amount }) => amount).reduce(sum, 0) };
  }).sort((one, other) => other.amount - one.amount || (one.name < other.name ? -1 : 1));
  const percentages = percentagesOf(sums.map(({ amount }) => amount), whole);
  return sums.map((part, place) => ({ ...part, percentage: percentages[place]! })).slice(0, longest);
}

/**
 * Returns each amount as a percentage of `whole`, with one decimal. The percentages and the percentage of the rest of
 * `whole` add up to exactly 100: all are rounded down first, then the largest remainders get the missing tenths.
 */
function percentagesOf(amounts: readonly number[], whole: number): number[] {
  if (amounts.length === 0) return [];
  const rest = whole - amounts.reduce(sum, 0);
  // Use exact integers, because 1,000 times an amount may exceed 2^53.
  const exact = [...amounts, rest].map((amount, place) => {
    const product = BigInt(amount) * 1_000n;
    return { place, tenths: Number(product / BigInt(whole)), remainder: product % BigInt(whole) };
  });
  const left = 1_000 - exact.map(({ tenths }) => tenths).reduce(sum, 0);
  const raised = new Set(exact
    .toSorted((one, other) => Number(other.remainder - one.remainder) || one.place - other.place)
    .slice(0, left).map(({ place }) => place));
  return amounts.map((_, place) => (exact[place]!.tenths + Number(raised.has(place))) / 10);
}

function durationShare(entity: 'account' | 'cluster') {
  return ({ name, amount, percentage }: ReturnType<typeof shares>[number]): DurationShare =>
    ({ entity, entityName: name, durationHours: hours(amount), percentage });
}

/** The duration of an outage in milliseconds. */
function durationOf({ start, end }: Pick<OutageRow, 'start' | 'end'>): number {
  return end.getTime() - start.getTime();
}

/** Converts milliseconds to hours with two decimals. */
function hours(milliseconds: number): number {
  return Math.round(milliseconds / 36_000) / 100;
}

function sum(one: number, other: number): number {
  return one + other;
}
