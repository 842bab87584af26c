import type { Queryable } from '@platform/postgres';
import { requireGenerated } from './read-months.ts';
import { summariesOfObjects } from './read-summaries.ts';
import { readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { add, amounts, averageOver, nothing, toQuantities } from './figures.ts';
import { LargestFirst } from './largest-first.ts';
import { type MonthPath, readMonth } from './month.ts';
import { type JsonRow, objectJson, quantitiesJson, readObjects, uidOf } from './object-json.ts';
import { nowUs } from './month-view.ts';
import { type Calling, shownOwner } from './view-request.ts';

/** …/object-quota-history-summaries-view (open-points 7.2), sorted by average. @throws Fault */
export async function showSummaries(
  database: Queryable, parameters: MonthPath, { account, deadline }: Calling,
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  const until = nowUs();
  await requireGenerated(database, ownerId, month, until, deadline);
  const scope = { product: 'productdb', month: month.firstDay, ownerId, until };
  const average = averageOver(Math.min(until, month.to) - month.from);
  const summaries = await summariesOfObjects(database, scope, deadline);
  const rows = new LargestFirst<JsonRow>(uidOf, (row) => row.ownerId);
  let used = nothing;
  await readObjects(database, scope, summaries, (object, ofCluster, owner) => {
    used = add(used, object.use);
    const json = objectJson(
      object.line, ofCluster, ',"changes":', String(object.changes), ',"peak":', quantitiesJson(object.peak, amounts),
      ',"average":', quantitiesJson(object.use, average), ',"current":', quantitiesJson(object.current, amounts),
      ',"firstSeen":"', object.firstSeen, '","lastSeen":"', object.lastSeen, '"',
    );
    rows.add({ ownerId: owner, json }, object.use.memory, object.line.objectUid);
  }, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, rows.values(), deadline);
  return {
    ...envelope(
      { product: 'productdb', view: 'object-quota-history-summaries-view', unit: amounts }, { month }, account,
    ),
    totals: toQuantities(used, average),
    rows: rows.inOrder().map((row) => withOwner(ownerOf, row.ownerId, row.json)),
    ...closing(month, until),
  };
}
