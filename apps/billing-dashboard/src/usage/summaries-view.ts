import type { Queryable } from '@platform/postgres';
import { type Account, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { isGenerated } from '../store/read-months.ts';
import { readSummaries } from '../store/read-summaries.ts';
import { readClusterNames, readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { add, amounts, averageOver, nothing, toQuantities } from './figures.ts';
import { largestFirst } from './largest-first.ts';
import { readMonth, rfc3339 } from './month.ts';
import { nowUs } from './month-view.ts';
import { shownOwner } from './view-request.ts';

/** …/object-quota-history-summaries-view (open-points 7.2): sorted by the average. @throws Fault */
export async function showSummaries(
  database: Queryable, parameters: { readonly year: string; readonly month: string },
  { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  if (!(await isGenerated(database, ownerId, month.firstDay, deadline))) throw notFound('nothing was metered');
  const until = nowUs();
  const summaries = await readSummaries(
    database, { product: 'productdb', month: month.firstDay, ownerId, until }, deadline,
  );
  const clusterOf = await readClusterNames(database, summaries, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, summaries, deadline);
  const average = averageOver(Math.min(until, month.to) - month.from);
  const rows = largestFirst(
    summaries, ({ use }) => use.memory, (row) => row.objectUid, (row) => row.ownerId,
  );
  return {
    ...envelope(
      { product: 'productdb', view: 'object-quota-history-summaries-view', unit: amounts }, { month, filters: {} },
      account,
    ),
    totals: toQuantities(summaries.map(({ use }) => use).reduce(add, nothing), average),
    rows: rows.map((row) => withOwner(ownerOf, row.ownerId, {
      objectID: row.objectUid, group: row.group, kind: row.kind, name: row.name, namespace: row.namespace,
      clusterUID: row.clusterUid, clusterName: clusterOf(row).name, changes: row.changes,
      peak: toQuantities(row.peak, amounts), average: toQuantities(row.use, average),
      current: toQuantities(row.current, amounts),
      firstSeen: rfc3339(row.firstSeen), lastSeen: rfc3339(row.lastSeen),
    })),
    ...closing(month, until),
  };
}
