import { type Database, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { requireGenerated } from '../usage/read-months.ts';
import { readDays } from '../usage/read-days.ts';
import { sumOf, type UsageScope, type Use } from '../usage/read-usage.ts';
import { readSnapshot } from '../usage/snapshot.ts';
import { closing } from '../usage/envelope.ts';
import { add, minutes, months, toQuantities } from '../usage/figures.ts';
import { LargestFirst } from '../usage/largest-first.ts';
import { dayUs, lateUs, type Month, monthNames, rfc3339 } from '../usage/month.ts';
import { type MonthView, nowUs, type ShownRow, tiesOf } from '../usage/month-view.ts';
import { readOwnerNames } from '../usage/names.ts';
import { clustersView, contractsView, groupKindsView, objectsView } from '../usage/usage-views.ts';
import { type Calling, shownOwner } from '../usage/view-request.ts';
import type { Amounts, MonthDocument, Series, Table, TableRow } from './month-document.ts';

/** Maximum number of kinds that have their own series. The remaining kinds share one more series. */
const mostSeries = 7;
/** Maximum number of rows of a table. If rows remain, one more row sums them up. */
const mostRows = 20_000;

/** Reads the usage of `productdb` in one snapshot, so all tables have the same total. @throws Fault NOT_FOUND */
export async function readMonthDocument(
  database: Database, month: Month, { account, deadline }: Calling,
): Promise<Omit<MonthDocument, 'letterhead'>> {
  const ownerId = shownOwner({ account });
  const until = nowUs();
  return readSnapshot(database, deadline, async (snapshot) => {
    await requireGenerated(snapshot, ownerId, month, until, deadline);
    const scope = { product: 'productdb', month: month.firstDay, ownerId, until, objects: undefined, shown: sql`true` };
    const memory = ({ total }: Use) => total.memory;
    const reading = {
      database: snapshot, deadline, until, memory, usage: (use: Use) => use,
      // The JSON of a row needs no usage, because the tables read usage only as objects of the type `Use`.
      usageJson: () => '{}',
    };
    const uses = new Map<ShownRow, Use>();
    const useOf = (row: ShownRow): Use => uses.get(row)!;
    const read = async (view: MonthView) => {
      const rows = new LargestFirst(...tiesOf(view));
      await view.read(scope, reading, (row, use, key) => {
        uses.set(row, use);
        rows.add(row, memory(use), key);
      });
      return rows.inOrder().toArray();
    };
    const [kinds, clusters, contracts, objects] = [
      await read(groupKindsView), await read(clustersView('productdb')), await read(contractsView('productdb')),
      await read(objectsView),
    ];
    const ownerOf = await readOwnerNames(snapshot, ownerId, objects, deadline);
    const unit = months(month.to - month.from);
    const amountsOf = ({ total, prod, nonProd, free }: Use): Amounts => ({
      total: toQuantities(total, minutes), prod: toQuantities(prod, unit), nonProd: toQuantities(nonProd, unit),
      free: toQuantities(free, unit),
    });
    const toTable = (
      title: string, subject: string, rows: readonly ShownRow[], toLines: (row: ShownRow) => readonly Line[],
    ): Table => ({
      title, subject,
      rows: cut(rows.map((row) => toLines(row).map(({ name, notes, use = useOf(row) }, place) => ({
        name, isPart: place > 0, amounts: amountsOf(use),
        note: [...(place > 0 ? [] : [ownerOf?.(row.ownerId).ownerName]), ...notes].filter(Boolean).join(' · '),
      }))), rows.map(useOf), amountsOf),
    });
    const { final } = closing(month, until);
    const all = sumOf(objects.map(useOf));
    return {
      owner: account.name,
      month: `${monthNames[month.month - 1]} ${month.year}`,
      period: { start: rfc3339(month.from), end: rfc3339(month.to) },
      final,
      asOf: rfc3339(final ? month.to + lateUs : until),
      totals: { ...amountsOf(all), billable: toQuantities(add(all.prod, all.nonProd), unit) },
      series: await readSeries(snapshot, scope, kinds.map((row) => {
        const name = [row.name, ownerOf?.(row.ownerId).ownerName].filter(Boolean).join(' · ');
        return { ...row, name };
      }), month, deadline),
      tables: [
        toTable('Usage by kind', 'Kind', kinds, kindLines),
        toTable('Usage by cluster', 'Cluster', clusters, clusterLines),
        toTable('Usage by contract', 'Contract', contracts, contractLines),
        toTable('Usage by object', 'Object', objects, objectLines),
      ],
    };
  });
}

/**
 * A row of a table before its amounts are computed. If `use` is absent, the row shows the whole use of the
 * {@link ShownRow} from which it is made.
 */
interface Line {
  readonly name: string;
  readonly notes: readonly string[];
  readonly use?: Use;
}

function kindLines(row: ShownRow): Line[] {
  const { kind, group, objects, clusters } = row.show() as {
    kind: string; group: string; objects: number; clusters: number;
  };
  return [{ name: kind, notes: [group, `${counted(objects, 'object')} in ${counted(clusters, 'cluster')}`] }];
}

function clusterLines(row: ShownRow): Line[] {
  const { clusterUID, clusterName, provider, mode, objects, kinds } = row.show() as {
    clusterUID: string; clusterName: string; provider: string; mode: string; objects: number;
    kinds: { group: string; kind: string; objects: number; usage: Use }[];
  };
  return [
    { name: clusterName || clusterUID, notes: [clusterName && clusterUID, provider, mode, counted(objects, 'object')] },
    ...kinds.map(({ group, kind, objects: count, usage: use }) => ({
      name: kind, notes: [group, counted(count, 'object')], use,
    })),
  ];
}

function contractLines(row: ShownRow): Line[] {
  const { contractID, contractName, clusters } = row.show() as {
    contractID: number; contractName: string; clusters: { clusterUID: string; clusterName: string; usage: Use }[];
  };
  return [
    contractID === 0
      ? { name: 'Outside any contract', notes: [] }
      : { name: contractName || `Contract ${contractID}`, notes: [contractName && `Contract ${contractID}`] },
    ...clusters.map(({ clusterUID, clusterName, usage: use }) => ({
      name: clusterName || clusterUID, notes: [clusterName && clusterUID], use,
    })),
  ];
}

function objectLines(row: ShownRow): Line[] {
  const { objectID, name, kind, group, namespace, clusterName, clusterUID } = row.show() as
    Record<'objectID' | 'name' | 'kind' | 'group' | 'namespace' | 'clusterName' | 'clusterUID', string>;
  return [{ name: name || objectID, notes: [kind, group, namespace, clusterName || clusterUID] }];
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function cut(groups: readonly TableRow[][], uses: readonly Use[], amountsOf: (use: Use) => Amounts): TableRow[] {
  let lines = 0;
  const fitting = groups.findIndex((group) => (lines += group.length) > mostRows);
  if (fitting === -1) return groups.flat();
  const rest = uses.slice(fitting);
  return [...groups.slice(0, fitting).flat(), {
    name: `${rest.length.toLocaleString('en-US')} more`, note: 'the rows with the least memory', isPart: false,
    amounts: amountsOf(sumOf(rest)),
  }];
}

async function readSeries(
  queryable: Queryable, scope: UsageScope, kinds: readonly ShownRow[], { from, to }: Month, deadline: Deadline,
): Promise<Series[]> {
  const largest = kinds.slice(0, mostSeries);
  const { namedBy: columns } = groupKindsView;
  const used = await readDays(queryable, scope, { columns, shown: largest.map((row) => row.of) }, deadline);
  const useOf = new Map(used.map((day) => [`${day.date} ${day.place}`, day.use]));
  const dates = Array.from({ length: (to - from) / dayUs }, (_, day) => rfc3339(from + day * dayUs).slice(0, 10));
  const names = [...largest.map(({ name }, place) => [place, name] as const), [-1, 'Other kinds'] as const];
  return names.slice(0, kinds.length > mostSeries ? undefined : -1).map(([place, name]) => ({
    name, days: dates.map((date) => toQuantities(useOf.get(`${date} ${place}`) ?? { cpu: 0n, memory: 0n }, minutes)),
  }));
}
