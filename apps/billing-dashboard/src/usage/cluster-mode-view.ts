import { type Queryable, sql } from '@platform/postgres';
import { requireGenerated } from './read-months.ts';
import { noUse, sumOf, type UsageScope, useOfObjects } from './read-usage.ts';
import { readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { months, toQuantities } from './figures.ts';
import { LargestFirst } from './largest-first.ts';
import { type MonthPath, readMonth } from './month.ts';
import { type JsonRow, objectJson, quantitiesJson, readObjects, uidOf } from './object-json.ts';
import { nowUs } from './month-view.ts';
import { type Calling, shownOwner } from './view-request.ts';

/** …/objects-cluster-mode-usage-view (open-points 7.2): billable use only. @throws Fault */
export async function showClusterModes(
  database: Queryable, parameters: MonthPath, { account, deadline }: Calling,
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  const until = nowUs();
  await requireGenerated(database, ownerId, month, until, deadline);
  const scope: UsageScope = {
    product: 'productdb', month: month.firstDay, ownerId, until, objects: undefined,
    shown: sql`class in ('prod', 'nonProd')`,
  };
  const unit = months(month.to - month.from);
  const rows = new LargestFirst<JsonRow>(uidOf, (row) => row.ownerId);
  let totals = noUse;
  const used = await useOfObjects(database, scope, deadline);
  await readObjects(database, scope, used, (object, ofCluster, owner) => {
    totals = sumOf([totals, object.use]);
    const json = objectJson(
      object.line, ofCluster, ',"prod":', quantitiesJson(object.use.prod, unit),
      ',"nonProd":', quantitiesJson(object.use.nonProd, unit),
    );
    rows.add({ ownerId: owner, json }, object.use.total.memory, object.line.objectUid);
  }, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, rows.values(), deadline);
  return {
    ...envelope({ product: 'productdb', view: 'objects-cluster-mode-usage-view', unit }, { month }, account),
    totals: { prod: toQuantities(totals.prod, unit), nonProd: toQuantities(totals.nonProd, unit) },
    rows: rows.inOrder().map((row) => withOwner(ownerOf, row.ownerId, row.json)),
    ...closing(month, until),
  };
}
