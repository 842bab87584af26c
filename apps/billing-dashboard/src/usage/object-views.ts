import { notFound } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import { requireGenerated } from './read-months.ts';
import { findObject, type MeteredObject, readModeIntervals } from './read-objects.ts';
import { findVersionsOf } from './read-versions.ts';
import { readClusterNames } from './names.ts';
import { closing, envelope } from './envelope.ts';
import { add, amounts, type Figures, months, nothing, toQuantities } from './figures.ts';
import { type HistoryEntry, readHistory, showHistory } from './history.ts';
import { type Month, type MonthPath, readMonth, rfc3339 } from './month.ts';
import { nowUs } from './month-view.ts';
import { isSameUse } from './segments.ts';
import { type Calling, readClusterUid, shownOwner } from './view-request.ts';

type ObjectPath = Readonly<Record<'clusterUid' | 'objectId', string>>;
type MonthObjectPath = ObjectPath & MonthPath;

/** GET /dashboard/summary/object-quota-history/clusters/{clusterUID}/objects/{objectID}. @throws Fault */
export async function showObjectHistory(database: Queryable, path: ObjectPath, calling: Calling): Promise<object> {
  const { account, deadline } = calling;
  const { object, shown, until } = await readObject(database, path, calling);
  const history = await showEntries(readHistory(database, { id: object.id, from: null }, deadline), until);
  if (history.length === 0) throw notFound('there is no such object');
  return {
    product: object.product, view: 'object-quota-history', owner: { id: account.id, name: account.name }, filters: {},
    units: amounts.names, object: shown, history: history.values(), generatedAt: rfc3339(until),
  };
}

/** …/object-quota-history-summaries-view/clusters/{clusterUID}/objects/{objectID}. @throws Fault */
export async function showMonthHistory(database: Queryable, path: MonthObjectPath, calling: Calling): Promise<object> {
  const { account, deadline } = calling;
  const month = readMonth(path);
  const { object: { id, product }, shown, until } = await readObject(database, path, calling, month);
  const versions = await findVersionsOf(database, id, month, { deadline });
  const entries = readHistory(database, versions, deadline);
  const history = await showEntries(entries, until, (entry) => concerns(entry, month));
  if (history.length === 0) throw notFound('the object has no data in this month');
  return {
    ...envelope({ product, view: 'object-quota-history-summaries-view', unit: amounts }, { month }, account),
    object: shown, history: history.values(), ...closing(month, until),
  };
}

/** Returns the JSON of each shown entry. The JSON takes less memory than the entries. */
async function showEntries(
  parts: AsyncIterable<readonly HistoryEntry[]>, until: number, isShown: (entry: HistoryEntry) => boolean = () => true,
): Promise<string[]> {
  const texts: string[] = [];
  for await (const entries of parts) {
    for (const entry of showHistory(entries.filter(isShown), until)) texts.push(JSON.stringify(entry));
  }
  return texts;
}

/** Whether a history entry begins in a month, or shows that the object existed in the month. */
function concerns({ from, to, event }: HistoryEntry, month: Month): boolean {
  const wasThere = (event === 'created' || event === 'updated') && from < month.to && to > month.from;
  return wasThere || (month.from <= from && from < month.to);
}

/** …/objects-cluster-mode-usage-view/clusters/{clusterUID}/objects/{objectID}. @throws Fault */
export async function showModeIntervals(database: Queryable, path: MonthObjectPath, calling: Calling): Promise<object> {
  const month = readMonth(path);
  const { object, shown, until } = await readObject(database, path, calling, month);
  const intervals = await readModeIntervals(database, object.id, month.firstDay, until, calling.deadline);
  if (intervals.length === 0) throw notFound('the object has no data in this month');
  const unit = months(month.to - month.from);
  const billable = intervals.filter((one) => one.class === 'prod' || one.class === 'nonProd');
  const used = (usageClass: string): Figures => billable.filter((one) => one.class === usageClass)
    .map(({ from, to, cpu, memory }) => ({ cpu: cpu * BigInt(to - from), memory: memory * BigInt(to - from) }))
    .reduce(add, nothing);
  return {
    ...envelope({ product: object.product, view: 'objects-cluster-mode-usage-view', unit }, { month }, calling.account),
    object: shown,
    intervals: joined(billable).map(({ from, to, mode, cpu, memory }) => ({
      from: rfc3339(from), to: rfc3339(to), mode, ...toQuantities({ cpu, memory }, amounts),
    })),
    totals: { prod: toQuantities(used('prod'), unit), nonProd: toQuantities(used('nonProd'), unit) },
    ...closing(month, until),
  };
}

type Interval = Awaited<ReturnType<typeof readModeIntervals>>[number];

/** Joins adjacent intervals that have the same amounts and the same mode. */
function joined(intervals: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const next of intervals) {
    const last = all.at(-1);
    if (last?.to === next.from && isSameUse(last, next)) all[all.length - 1] = { ...last, to: next.to };
    else all.push(next);
  }
  return all;
}

async function readObject(
  database: Queryable, path: ObjectPath, calling: Calling, month?: Month,
): Promise<{ object: MeteredObject; shown: object; until: number }> {
  const { deadline } = calling;
  const until = nowUs();
  const [clusterUid, ownerId] = [readClusterUid(path.clusterUid), shownOwner(calling)];
  if (month !== undefined) await requireGenerated(database, ownerId, month, until, deadline);
  const place = { ownerId, clusterUid, objectUid: path.objectId, product: month && 'productdb' };
  const object = await findObject(database, place, deadline);
  const clusterOf = await readClusterNames(database, [object], deadline);
  return { object, shown: showObject(object, clusterOf(object).name, until), until };
}

/** Returns the field `object` of a view (open-points 7.2). Leaves out a deletion whose time is after `until`. */
function showObject(object: MeteredObject, clusterName: string, until: number) {
  return {
    objectID: object.objectUid, group: object.group, kind: object.kind, name: object.name,
    namespace: object.namespace, namespaceUID: object.namespaceUid, clusterUID: object.clusterUid, clusterName,
    createdAt: rfc3339(object.createdUs),
    ...(object.deletedUs === null || object.deletedUs > until ? {} : { deletedAt: rfc3339(object.deletedUs) }),
  };
}
