import { type Queryable, sql } from '@platform/postgres';
import { type Account, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { isGenerated } from '../store/read-months.ts';
import { readUseOfObjects, sumOf } from '../store/read-usage.ts';
import { readClusterNames, readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { months, toQuantities } from './figures.ts';
import { largestFirst } from './largest-first.ts';
import { readMonth } from './month.ts';
import { objectJson, quantitiesJson, rowsOfObjects } from './object-json.ts';
import { nowUs } from './month-view.ts';
import { shownOwner } from './view-request.ts';

/** …/objects-cluster-mode-usage-view (open-points 7.2): billable use alone. @throws Fault */
export async function showClusterModes(
  database: Queryable, parameters: { readonly year: string; readonly month: string },
  { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  const until = nowUs();
  if (!(await isGenerated(database, ownerId, month, until, deadline))) throw notFound('nothing was metered');
  const clusters = await readUseOfObjects(
    database,
    {
      product: 'productdb', month: month.firstDay, ownerId, until,
      objects: undefined, shown: sql`class in ('prod', 'nonProd')`,
    },
    deadline,
  );
  const clusterOf = await readClusterNames(database, clusters, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, clusters, deadline);
  const unit = months(month.to - month.from);
  const rows = await rowsOfObjects(clusters, clusterOf, (object, ofCluster, owner) => ({
    objectUid: object.objectUid,
    ownerId: owner,
    use: object.use,
    json: objectJson(
      object, ofCluster, ',"prod":', quantitiesJson(object.use.prod, unit),
      ',"nonProd":', quantitiesJson(object.use.nonProd, unit),
    ),
  }));
  const totals = sumOf(rows.map(({ use }) => use));
  return {
    ...envelope(
      { product: 'productdb', view: 'objects-cluster-mode-usage-view', unit }, { month, filters: {} }, account,
    ),
    totals: { prod: toQuantities(totals.prod, unit), nonProd: toQuantities(totals.nonProd, unit) },
    rows: largestFirst(rows, ({ use }) => use.total.memory, (row) => row.objectUid, (row) => row.ownerId)
      .map((row) => withOwner(ownerOf, row.ownerId, row.json)),
    ...closing(month, until),
  };
}
