import { type Fragment, type Queryable, sql } from '@platform/postgres';
import { type Account, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { isGenerated } from '../store/read-months.ts';
import { type DayUse, readDays, readUse, type UsageScope, type Use } from '../store/read-usage.ts';
import { closing, envelope } from './envelope.ts';
import { add, type Figures, isNothing, minutes, months, nothing, toQuantities, type Unit } from './figures.ts';
import { readOwnerNames } from './names.ts';
import { shownOwner, type ViewParameters, readViewRequest } from './view-request.ts';

/** How a view puts use together. `owner_id`, `cluster_uid` and columns of objects and segments are at hand. */
export interface MonthView<Row> {
  /** Path segment. */
  readonly view: string;
  readonly product: string;
  /** Columns of `metered_object object` that the other parts use. */
  readonly columns: Fragment;
  /** Use is summed up for each combination of these columns. */
  readonly keys: Fragment;
  /** Further aggregates of a row. */
  readonly also: Fragment;
  /** Text made of `keys` that names the row a segment belongs to. */
  readonly key: Fragment;
  /** Reads what rows show of other tables, and makes of what was summed up what is shown. */
  rows(used: readonly Used<Row>[], reading: Reading): Promise<readonly ShownRow[]>;
}

/** A sum of use. */
export type Used<Row> = Row & { readonly use: Use; readonly rowKey: string };

/** A row of a view, before its order and its place in the series are known. */
export interface ShownRow {
  /** As {@link MonthView.key} names it. */
  readonly rowKey: string;
  /** Shown key and name of its series. */
  readonly seriesKey: string;
  readonly name: string;
  readonly ownerId: number;
  readonly use: Use;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** What rows are made with. */
export interface Reading {
  readonly database: Queryable;
  readonly deadline: Deadline;
  /** What stands for use in what is shown: `U` of open-points 7.2. */
  readonly usage: (use: Use) => object;
  /** What rows are ordered by. */
  readonly memory: (use: Use) => bigint;
}

/** Series beside the one for all others (open-points 7.2). */
const mostSeries = 50;

/** Answers a month view with its rows, totals and series (open-points 7.2). @throws Fault */
export async function showMonth<Row>(
  database: Queryable, view: MonthView<Row>, parameters: ViewParameters,
  { account, deadline }: { readonly account: Account; readonly deadline: Deadline },
): Promise<object> {
  const request = readViewRequest(parameters);
  const { month, viewType } = request;
  const ownerId = shownOwner({ account });
  if (!(await isGenerated(database, ownerId, month.firstDay, deadline))) throw notFound('nothing was metered');
  const until = nowUs();
  const isBillable = viewType === 'billable';
  const unit = isBillable ? months(month.to - month.from) : minutes;
  const scope: UsageScope = {
    product: view.product, month: month.firstDay, ownerId, until,
    objects: request.objects,
    segments: isBillable ? sql`segment.class <> 'none' and ${request.segments}` : request.segments,
  };
  const memory = (use: Use): bigint => (isBillable ? billed(use) : use.total).memory;
  const reading: Reading = { database, deadline, memory, usage: (use) => usageOf(use, isBillable, unit) };
  const rows = await readRows(view, scope, reading);
  const largest = rows.slice(0, mostSeries);
  const days = rows.length === 0 ? [] : await readDays(
    database,
    isBillable ? { ...scope, segments: sql`segment.class <> 'free' and ${scope.segments}` } : scope,
    { columns: view.columns, key: view.key, shown: largest.map(({ rowKey }) => rowKey) },
    deadline,
  );
  const ownerOf = await readOwnerNames(database, ownerId, rows, deadline);
  return {
    ...envelope({ product: view.product, view: view.view, viewType, unit }, request, account),
    totals: reading.usage(sumOf(rows.map(({ use }) => use))),
    series: seriesOf(largest, days, unit),
    rows: rows.map((row) => ({ ...ownerOf(row.ownerId), ...row.shown })),
    ...closing(month, until),
  };
}

/** Reads the rows of a view in their order. */
export async function readRows<Row>(
  view: MonthView<Row>, scope: UsageScope, reading: Reading,
): Promise<ShownRow[]> {
  const used = await readUse<Row>(reading.database, scope, view, reading.deadline);
  return inOrder(await view.rows(used, reading), reading.memory);
}

/** Now, in microseconds since 1970: whole seconds, because that is what an answer shows. */
export function nowUs(): number {
  return Math.floor(Date.now() / 1000) * 1_000_000;
}

function usageOf(use: Use, isBillable: boolean, unit: Unit): object {
  if (!isBillable) return toQuantities(use.total, unit);
  return {
    ...toQuantities(billed(use), unit),
    prod: toQuantities(use.prod, unit),
    nonProd: toQuantities(use.nonProd, unit),
    free: toQuantities(use.free, unit),
  };
}

function billed({ prod, nonProd }: Use): Figures {
  return add(prod, nonProd);
}

/** Largest memory first, then by key. */
function inOrder(rows: readonly ShownRow[], memory: Reading['memory']): ShownRow[] {
  return rows.toSorted((one, other) => {
    const [mine, yours] = [memory(one.use), memory(other.use)];
    if (mine !== yours) return mine > yours ? -1 : 1;
    if (one.seriesKey !== other.seriesKey) return one.seriesKey < other.seriesKey ? -1 : 1;
    return one.ownerId - other.ownerId || (one.rowKey < other.rowKey ? -1 : 1);
  });
}

export function sumOf(uses: readonly Use[]): Use {
  const sum = (part: keyof Use): Figures => uses.reduce((all, use) => add(all, use[part]), nothing);
  return { total: sum('total'), prod: sum('prod'), nonProd: sum('nonProd'), free: sum('free') };
}

function seriesOf(rows: readonly ShownRow[], days: readonly DayUse[], unit: Unit) {
  const byKey = Map.groupBy(days.filter(({ use }) => !isNothing(use)), ({ key }) => key);
  const points = (key: string) =>
    (byKey.get(key) ?? []).map(({ date, use }) => ({ date, ...toQuantities(use, unit) }));
  const named = rows.map(({ rowKey, seriesKey, name }) => ({ key: seriesKey, name, points: points(rowKey) }));
  return [...named, { key: 'other', name: 'other', points: points('') }].filter((series) => series.points.length > 0);
}
