import { setImmediate } from 'node:timers/promises';
import type { ObjectLine, ObjectsOfCluster } from '../store/read-object-lines.ts';
import { type Figures, nothing, toQuantities, type Unit } from './figures.ts';
import type { ClusterName, OwnedCluster } from './names.ts';

/** The JSON of a row for an object: what all views show of it, and further members. */
export function objectJson({ uid, members }: ObjectLine, ...further: readonly string[]): string {
  // One text: V8 keeps a sum of texts as a tree of its parts, which takes longer to send than to make.
  return ['{"objectID":', uid, ',', members, ...further, '}'].join('');
}

/** Rows that are made at once; other calls are served in between. */
const rowsAtOnce = 2_000;

/**
 * Makes a row of each object, cluster by cluster: the text of a row is made while what it is made of is at hand, and
 * before rows have an order.
 * @param ofCluster what rows show of their cluster, as further members
 */
export async function rowsOfObjects<Item, Row>(
  clusters: readonly ObjectsOfCluster<Item>[], clusterOf: (cluster: OwnedCluster) => ClusterName,
  makeRow: (object: Item, ofCluster: string, ownerId: number) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  let pausedAt = 0;
  for (const cluster of clusters) {
    const ofCluster = clusterMembers(cluster, clusterOf(cluster));
    for (const object of cluster.objects()) rows.push(makeRow(object, ofCluster, cluster.ownerId));
    if (rows.length - pausedAt < rowsAtOnce) continue;
    pausedAt = rows.length;
    await setImmediate();
  }
  return rows;
}

function clusterMembers({ clusterUid }: OwnedCluster, { name }: ClusterName): string {
  return `,"clusterUID":"${clusterUid}","clusterName":${JSON.stringify(name)}`;
}

/** `Q` of open-points 7.2 as JSON, and further members. */
export function quantitiesJson(figures: Figures, unit: Unit, further = ''): string {
  if (figures === nothing) return `{"cpu":0,"memory":0${further}}`;
  const { cpu, memory } = toQuantities(figures, unit);
  return `{"cpu":${cpu},"memory":${memory}${further}}`;
}
