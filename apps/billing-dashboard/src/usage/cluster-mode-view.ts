import { type Queryable, sql } from '@platform/postgres';
import { type Account, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { isGenerated } from '../store/read-months.ts';
import { readUseOfObjects } from '../store/read-usage.ts';
import { readClusterNames, readOwnerNames, withOwner } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { months, toQuantities } from './figures.ts';
import { largestFirst } from './largest-first.ts';
import { readMonth } from './month.ts';
import { nowUs, sumOf } from './month-view.ts';
import { columnsOfObject, type ObjectRow } from './usage-views.ts';
import { shownOwner } from './view-request.ts';

/** …/objects-cluster-mode-usage-view (open-points 7.2): billable use alone. @throws Fault */
export async function showClusterModes(
  database: Queryable, parameters: { readonly year: string; readonly month: string },
  { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const month = readMonth(parameters);
  const ownerId = shownOwner({ account });
  if (!(await isGenerated(database, ownerId, month.firstDay, deadline))) throw notFound('nothing was metered');
  const until = nowUs();
  const used = await readUseOfObjects<ObjectRow>(
    database,
    {
      product: 'productdb', month: month.firstDay, ownerId, until,
      objects: sql`true`, shown: sql`class in ('prod', 'nonProd')`,
    },
    columnsOfObject, deadline,
  );
  const clusterOf = await readClusterNames(database, used, deadline);
  const ownerOf = await readOwnerNames(database, ownerId, used, deadline);
  const unit = months(month.to - month.from);
  const rows = largestFirst(
    used, ({ use }) => use.prod.memory + use.nonProd.memory, (row) => row.objectUid, (row) => row.ownerId,
  );
  const totals = sumOf(used.map(({ use }) => use));
  return {
    ...envelope(
      { product: 'productdb', view: 'objects-cluster-mode-usage-view', unit }, { month, filters: {} }, account,
    ),
    totals: { prod: toQuantities(totals.prod, unit), nonProd: toQuantities(totals.nonProd, unit) },
    rows: rows.map((row) => withOwner(ownerOf, row.ownerId, {
      objectID: row.objectUid, name: row.name, group: row.group, kind: row.kind, namespace: row.namespace,
      clusterUID: row.clusterUid, clusterName: clusterOf(row).name,
      prod: toQuantities(row.use.prod, unit), nonProd: toQuantities(row.use.nonProd, unit),
    })),
    ...closing(month, until),
  };
}
