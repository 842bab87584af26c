import type { ClusterReference } from '@platform/proto/contracts/v1/binding';
import { invalidValue, refuseTooMany } from '@platform/values';
import { nameFrom, uuidFrom } from '../values.ts';

/** A cluster to bind. */
export interface NewBinding {
  /** UUID in lower case. */
  readonly clusterUid: string;
  readonly displayName: string;
  readonly tags: readonly string[];
}

const mostClusters = 1_000;
const mostCharacters = 100;
const mostTags = 50;
const mostCharactersOfTag = 63;

/**
 * Parses the clusters to bind to a contract, without duplicates (open-points 5.4).
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS
 */
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

/** Parses the name of a cluster in a contract. @throws Fault INVALID_VALUE */
export function displayNameFrom(path: string, text: string): string {
  return nameFrom(path, text, { least: 0, most: mostCharacters });
}

/**
 * Parses the tags of a cluster: trimmed, without duplicates, in the given order (open-points 5.4, 5.7).
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS
 */
export function tagsFrom(path: string, given: readonly string[]): string[] {
  refuseTooMany(path, given, mostTags);
  const tags = given.map((tag, index) => nameFrom(`${path}[${index}]`, tag, { least: 1, most: mostCharactersOfTag }));
  return [...new Set(tags)];
}
