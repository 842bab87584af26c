import type { Queryable } from '@platform/postgres';
import { type Account, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { isGenerated } from '../store/read-months.ts';
import { readSummaries } from '../store/read-summaries.ts';
import { readClusterNames, readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { add, amounts, averageOver, nothing, toQuantities } from './figures.ts';
import { largestFirst } from './largest-first.ts';
import { readMonth } from './month.ts';
import { objectJson, quantitiesJson, rowsOfObjects } from './object-json.ts';
import { nowUs } from './month-view.ts';
import { shownOwner } from './view-request.ts';

/** …/object-quota-history-summaries-view (open-points 7.2): sorted by the average. @throws Fault */
export async function showSummaries(
  database: Queryable, parameters: { readonly year: string; readonly month: string },
  { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  const until = nowUs();
  if (!(await isGenerated(database, ownerId, month, until, deadline))) throw notFound('nothing was metered');
  const clusters = await readSummaries(
    database, { product: 'productdb', month: month.firstDay, ownerId, until }, deadline,
  );
  const clusterOf = await readClusterNames(database, clusters, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, clusters, deadline);
  const average = averageOver(Math.min(until, month.to) - month.from);
  const rows = await rowsOfObjects(clusters, clusterOf, (object, ofCluster, owner) => ({
    objectUid: object.objectUid,
    ownerId: owner,
    use: object.use,
    json: objectJson(
      object, ofCluster, ',"changes":', String(object.changes), ',"peak":', quantitiesJson(object.peak, amounts),
      ',"average":', quantitiesJson(object.use, average), ',"current":', quantitiesJson(object.current, amounts),
      ',"firstSeen":"', object.firstSeen, '","lastSeen":"', object.lastSeen, '"',
    ),
  }));
  return {
    ...envelope(
      { product: 'productdb', view: 'object-quota-history-summaries-view', unit: amounts }, { month, filters: {} },
      account,
    ),
    totals: toQuantities(rows.map(({ use }) => use).reduce(add, nothing), average),
    rows: largestFirst(rows, ({ use }) => use.memory, (row) => row.objectUid, (row) => row.ownerId)
      .map((row) => withOwner(ownerOf, row.ownerId, row.json)),
    ...closing(month, until),
  };
}
