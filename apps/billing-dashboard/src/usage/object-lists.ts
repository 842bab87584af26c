import { type Queryable, sql } from '@platform/postgres';
import { requireGenerated } from './read-months.ts';
import { summariesOfObjects } from './read-summaries.ts';
import { noUse, sumOf, type UsageUntil, useOfObjects } from './read-usage.ts';
import { readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { add, amounts, averageOver, months, nothing, toQuantities, type Unit } from './figures.ts';
import { LargestFirst } from './largest-first.ts';
import { type Month, type MonthPath, readMonth } from './month.ts';
import { objectJson, quantitiesJson, readObjects } from './object-json.ts';
import { nowUs } from './month-view.ts';
import { type Calling, shownOwner } from './view-request.ts';

interface JsonRow {
  readonly ownerId: number;
  readonly json: string;
}

/** Returns a view with one row for each object. @param read adds the rows, and returns the unit and the totals */
async function showObjects(
  database: Queryable, path: MonthPath, { account, deadline }: Calling, view: string,
  read: (scope: UsageUntil, month: Month, rows: LargestFirst<JsonRow>) => Promise<{ unit: Unit; totals: object }>,
): Promise<object> {
  const month = readMonth(path);
  const ownerId = shownOwner({ account });
  const until = nowUs();
  await requireGenerated(database, ownerId, month, until, deadline);
  const uidOf = ({ json }: JsonRow) => (JSON.parse(json) as { objectID: string }).objectID;
  const rows = new LargestFirst<JsonRow>(uidOf, (row) => row.ownerId);
  const { unit, totals } = await read({ product: 'productdb', month: month.firstDay, ownerId, until }, month, rows);
  const ownerOf = await readOwnerNames(database, ownerId, rows.values(), deadline);
  return {
    ...envelope({ product: 'productdb', view, unit }, { month }, account),
    totals,
    rows: rows.inOrder().map((row) => withOwner(ownerOf, row.ownerId, row.json)),
    ...closing(month, until),
  };
}

/** …/objects-cluster-mode-usage-view (open-points 7.2): billable use only. @throws Fault */
export function showClusterModes(database: Queryable, path: MonthPath, calling: Calling): Promise<object> {
  return showObjects(database, path, calling, 'objects-cluster-mode-usage-view', async (scope, month, rows) => {
    const unit = months(month.to - month.from);
    const billable = { ...scope, objects: undefined, shown: sql`class in ('prod', 'nonProd')` };
    let used = noUse;
    const objects = await useOfObjects(database, billable, calling.deadline);
    await readObjects(database, scope, objects, ({ line, use }, ofCluster, ownerId) => {
      used = sumOf([used, use]);
      const [prod, nonProd] = [quantitiesJson(use.prod, unit), quantitiesJson(use.nonProd, unit)];
      const json = objectJson(line, ofCluster, ',"prod":', prod, ',"nonProd":', nonProd);
      rows.add({ ownerId, json }, use.total.memory, line.objectUid);
    }, calling.deadline);
    return { unit, totals: { prod: toQuantities(used.prod, unit), nonProd: toQuantities(used.nonProd, unit) } };
  });
}

/** …/object-quota-history-summaries-view (open-points 7.2), sorted by average memory. @throws Fault */
export function showSummaries(database: Queryable, path: MonthPath, calling: Calling): Promise<object> {
  return showObjects(database, path, calling, 'object-quota-history-summaries-view', async (scope, month, rows) => {
    const average = averageOver(Math.min(scope.until, month.to) - month.from);
    let used = nothing;
    const objects = await summariesOfObjects(database, scope, calling.deadline);
    await readObjects(database, scope, objects, (object, ofCluster, ownerId) => {
      used = add(used, object.use);
      const json = objectJson(
        object.line, ofCluster, ',"changes":', String(object.changes), ',"peak":', quantitiesJson(object.peak, amounts),
        ',"average":', quantitiesJson(object.use, average), ',"current":', quantitiesJson(object.current, amounts),
        ',"firstSeen":"', object.firstSeen, '","lastSeen":"', object.lastSeen, '"',
      );
      rows.add({ ownerId, json }, object.use.memory, object.line.objectUid);
    }, calling.deadline);
    return { unit: amounts, totals: toQuantities(used, average) };
  });
}
