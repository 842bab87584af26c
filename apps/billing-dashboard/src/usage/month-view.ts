import { setImmediate } from 'node:timers/promises';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { requireGenerated } from './read-months.ts';
import { type DayUse, readDays } from './read-days.ts';
import { type Columns, noUse, sumOf, type UsageScope, type Use } from './read-usage.ts';
import { closing, envelope } from './envelope.ts';
import { add, type Figures, minutes, months, nothing, toQuantities, type Unit } from './figures.ts';
import { LargestFirst } from './largest-first.ts';
import { readOwnerNames, withOwner } from './names.ts';
import { quantitiesJson } from './object-json.ts';
import { type Calling, shownOwner, type ViewParameters, readViewRequest } from './view-request.ts';

export interface MonthView {
  readonly view: string;
  readonly product: string;
  readonly namedBy: Columns;
  /**
   * Sums up use by the columns `namedBy`. Reads other values, such as names, from other tables.
   * @param take called once for each row, in any order, with the use that the row shows and its {@link orderKey}
   */
  read(scope: UsageScope, reading: Reading, take: (row: ShownRow, use: Use, key: string) => void): Promise<void>;
}

export interface ShownRow {
  /** Contains the values of the columns that identify the row ({@link MonthView.namedBy}). */
  readonly of: object;
  /** Key of the row's series. Rows with the same memory are ordered by this key. Numbers are ordered by value. */
  readonly seriesKey: string | number;
  readonly name: string;
  readonly ownerId: number;
  show(): Readonly<Record<string, unknown>>;
  /** The row as the view shows it, as JSON. Absent if the view does not build rows as JSON. */
  readonly json?: string;
}

export interface Reading {
  readonly database: Queryable;
  readonly deadline: Deadline;
  /** The time up to which use is counted, in microseconds since 1970. */
  readonly until: number;
  /** Converts the use of a row to `U` of open-points 7.2. */
  readonly usage: (use: Use) => object;
  readonly usageJson: (use: Use) => string;
  /** Returns the memory of a use. Rows with more memory come first. */
  readonly memory: (use: Use) => bigint;
}

/** Maximum number of series, not counting the series `other` for all other rows (open-points 7.2). */
const mostSeries = 50;

/** Returns a month view: totals, series, days and rows (open-points 7.2). @throws Fault */
export async function showMonth(
  database: Queryable, view: MonthView, parameters: ViewParameters, { account, deadline }: Calling,
): Promise<object> {
  const request = readViewRequest(parameters);
  const { month, viewType } = request;
  const ownerId = shownOwner({ account });
  const until = nowUs();
  await requireGenerated(database, ownerId, month, until, deadline);
  const isBillable = viewType === 'billable';
  const unit = isBillable ? months(month.to - month.from) : minutes;
  const shown = isBillable ? sql`class <> 'none' and ${request.shown}` : request.shown;
  const scope: UsageScope = {
    product: view.product, month: month.firstDay, ownerId, clusterUid: request.clusterUid, until,
    objects: request.objects, shown,
  };
  const memory = (use: Use): bigint => (isBillable ? billed(use) : use.total).memory;
  const reading: Reading = {
    database, deadline, until, memory,
    usage: (use) => usageOf(use, isBillable, unit), usageJson: (use) => usageJsonOf(use, isBillable, unit),
  };
  const rows = new LargestFirst(...tiesOf(view));
  let used = noUse;
  await view.read(scope, reading, (row, use, key) => {
    used = sumOf([used, use]);
    rows.add(row, memory(use), key);
  });
  const ordered = rows.inOrder();
  const largest = Array.from({ length: Math.min(rows.size, mostSeries) }, () => ordered.next().value!);
  const [days, others] = await Promise.all([
    readDays(database, scope, { columns: view.namedBy, shown: largest.map((row) => row.of), byClass: true }, deadline),
    // PostgreSQL sums up the days while this process sorts the rows.
    setImmediate().then(() => ordered.toArray()),
  ]);
  const ownerOf = await readOwnerNames(database, ownerId, rows.values(), deadline);
  return {
    ...envelope({ product: view.product, view: view.view, viewType, unit }, request, account),
    totals: reading.usage(used),
    series: seriesOf(largest, isBillable ? days.filter((day) => day.class !== 'free') : days, unit),
    days: classesOf(days, isBillable, unit),
    rows: [...largest, ...others].values()
      .map((row) => withOwner(ownerOf, row.ownerId, row.json ?? JSON.stringify(row.show()))),
    ...closing(month, until),
  };
}

/** The sort keys for rows with the same memory. Rows of different owners or clusters may have the same first key. */
export function tiesOf(
  { namedBy }: MonthView,
): [typeof orderKey, (row: ShownRow) => number, (row: ShownRow) => string] {
  const names = Object.keys(namedBy) as (keyof object)[];
  return [orderKey, ({ ownerId }) => ownerId, ({ of }) => JSON.stringify(names.map((name) => of[name]))];
}

export function orderKey({ seriesKey }: Pick<ShownRow, 'seriesKey'>): string {
  return typeof seriesKey === 'number' ? String(seriesKey).padStart(16, '0') : seriesKey;
}

/** The current time in microseconds since 1970. It is cut to whole seconds, because answers show whole seconds. */
export function nowUs(): number {
  return Math.floor(Date.now() / 1000) * 1_000_000;
}

function usageOf(use: Use, isBillable: boolean, unit: Unit): object {
  if (!isBillable) return toQuantities(use.total, unit);
  return {
    ...toQuantities(billed(use), unit),
    prod: toQuantities(use.prod, unit), nonProd: toQuantities(use.nonProd, unit), free: toQuantities(use.free, unit),
  };
}

function usageJsonOf(use: Use, isBillable: boolean, unit: Unit): string {
  if (!isBillable) return quantitiesJson(use.total, unit);
  const [prod, nonProd, free] = [use.prod, use.nonProd, use.free].map((figures) => quantitiesJson(figures, unit));
  return quantitiesJson(billed(use), unit, `,"prod":${prod},"nonProd":${nonProd},"free":${free}`);
}

function billed({ prod, nonProd }: Use): Figures {
  return add(prod, nonProd);
}

function seriesOf(rows: readonly ShownRow[], days: readonly DayUse[], unit: Unit) {
  const byPlace = Map.groupBy(days, ({ place }) => place);
  const points = (place: number) =>
    byDate(byPlace.get(place) ?? []).map(([date, own]) => ({ date, ...toQuantities(together(own), unit) }));
  const named = rows.map((row, place) => ({ key: String(row.seriesKey), name: row.name, points: points(place) }));
  return [...named, { key: 'other', name: 'other', points: points(-1) }].filter((series) => series.points.length > 0);
}

/** Use of each day by billing class (ADR 0240). If `isBillable` is false, the class `none` is shown as `unbilled`. */
function classesOf(days: readonly DayUse[], isBillable: boolean, unit: Unit) {
  return byDate(days).map(([date, own]) => {
    const of = (name: string) => toQuantities(together(own.filter((day) => day.class === name)), unit);
    return {
      date, prod: of('prod'), nonProd: of('nonProd'), free: of('free'), ...(isBillable ? {} : { unbilled: of('none') }),
    };
  });
}

/** Groups days by date, the earliest first. */
function byDate(days: readonly DayUse[]): [date: string, own: DayUse[]][] {
  return [...Map.groupBy(days, ({ date }) => date)].sort(([one], [other]) => (one < other ? -1 : 1));
}

function together(days: readonly DayUse[]): Figures {
  return days.reduce((sum, { use }) => add(sum, use), nothing);
}
