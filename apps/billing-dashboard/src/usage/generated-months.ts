import type { Database } from '@platform/postgres';
import type { Account } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { readGeneratedMonths } from '../store/read-months.ts';
import { monthNames } from './month.ts';
import { shownOwner } from './view-request.ts';

/** GET /dashboard/summary/generated-months (open-points 7.1). */
export async function showGeneratedMonths(
  database: Database, { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const days = await readGeneratedMonths(database, shownOwner({ account }), deadline);
  const byYear = Map.groupBy(days, (day) => day.slice(0, 4));
  return {
    yearMonthList: Object.fromEntries(
      [...byYear].map(([year, own]) => [year, own.map((day) => monthNames[Number(day.slice(5, 7)) - 1])]),
    ),
  };
}
