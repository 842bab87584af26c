import type { Queryable } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { type ObjectLine, type ObjectLines, readObjectLines } from './read-object-lines.ts';
import { readUsingClusters, type UsagePlace } from './read-usage.ts';
import { type Figures, nothing, toQuantities, type Unit } from './figures.ts';
import { readClusterNames } from './names.ts';

/** The JSON of the row of an object: the fields that all views show, and further fields. */
export function objectJson({ uid, members }: ObjectLine, ...further: readonly string[]): string {
  // Use `join`, because V8 keeps a concatenation as a tree of parts. Sending such a tree takes long.
  return ['{"objectID":', uid, ',', members, ...further, '}'].join('');
}

/**
 * Reads objects cluster by cluster. Build the row of an object inside `take`, so that the object need not be kept.
 * @param take receives an object, the JSON of its cluster's fields, and the id of its owner
 */
export async function readObjects<Item>(
  snapshot: Queryable, scope: UsagePlace, lines: ObjectLines<Item>,
  take: (object: Item, ofCluster: string, ownerId: number) => void, deadline: Deadline,
): Promise<void> {
  const clusters = await readUsingClusters(snapshot, scope, deadline);
  const clusterOf = await readClusterNames(snapshot, clusters, deadline);
  await readObjectLines(snapshot, clusters, lines, (objects, cluster) => {
    const name = JSON.stringify(clusterOf(cluster).name);
    const ofCluster = `,"clusterUID":"${cluster.clusterUid}","clusterName":${name}`;
    for (const object of objects) take(object, ofCluster, cluster.ownerId);
  }, deadline);
}

/** Returns `cpu` and `memory` as JSON (`Q` of open-points 7.2), with further fields. */
export function quantitiesJson(figures: Figures, unit: Unit, further = ''): string {
  if (figures === nothing) return `{"cpu":0,"memory":0${further}}`;
  const { cpu, memory } = toQuantities(figures, unit);
  return `{"cpu":${cpu},"memory":${memory}${further}}`;
}
