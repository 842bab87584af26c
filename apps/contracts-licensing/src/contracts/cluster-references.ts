import type { ClusterReference } from '@platform/proto/contracts/v1/binding';
import { invalidValue, refuseTooMany } from '@platform/values';
import { nameFrom, uuidFrom } from '../values.ts';

export interface NewBinding {
  /** UUID in lower case. */
  readonly clusterUid: string;
  readonly displayName: string;
  readonly tags: readonly string[];
}

const mostClusters = 1_000;
const mostTags = 50;

/** Parses the clusters to bind. Refuses duplicates (open-points 5.4). @throws Fault INVALID_VALUE, TOO_MANY_ITEMS */
export function bindingsFrom(path: string, references: readonly ClusterReference[]): NewBinding[] {
  refuseTooMany(path, references, mostClusters);
  const places = new Map<string, string>();
  return references.map(({ cluster = '', displayName = '', tags }, index) => {
    const place = `${path}[${index}]`;
    const clusterUid = uuidFrom(`${place}.cluster`, cluster);
    const twin = places.get(clusterUid);
    if (twin !== undefined) {
      throw invalidValue([{ path: `${place}.cluster`, message: `is the same as ${twin}.cluster` }]);
    }
    places.set(clusterUid, place);
    return { clusterUid, displayName: displayNameFrom(`${place}.displayName`, displayName), tags: tagsFrom(`${place}.tags`, tags) };
  });
}

/** @throws Fault INVALID_VALUE */
export function displayNameFrom(path: string, text: string): string {
  return nameFrom(path, text, { least: 0, most: 100 });
}

/** Trims tags, and removes duplicates (open-points 5.4, 5.7). @throws Fault INVALID_VALUE, TOO_MANY_ITEMS */
export function tagsFrom(path: string, given: readonly string[]): string[] {
  refuseTooMany(path, given, mostTags);
  return [...new Set(given.map((tag, index) => nameFrom(`${path}[${index}]`, tag, { least: 1, most: 63 })))];
}
