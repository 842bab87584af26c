import { platform } from '../api/client.ts';

const names = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2026, index)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
);

/** The months in which use of an organization was counted, as `2026-11`, newest first. */
export async function countedMonths(org: string): Promise<string[]> {
  const { yearMonthList } = (await platform.call('getGeneratedMonths', { parameters: { org } })) as {
    yearMonthList: Readonly<Record<string, readonly string[]>>;
  };
  return Object.entries(yearMonthList)
    .flatMap(([year, months]) => months.map((month) => `${year}-${String(names.indexOf(month) + 1).padStart(2, '0')}`))
    .sort()
    .reverse();
}
