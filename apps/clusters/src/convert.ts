import type { Cluster, PutClustersRequest } from '@platform/proto/clusters/v1/owners';
import type { ObjectOwner as ObjectOwnerMessage } from '@platform/proto/owners/v1/owners';
import type { ObjectOwner, Violation } from '@platform/rpc';
import { invalidValues, tooManyItems } from './faults.ts';
import type { ClusterRow, NewCluster } from './store/clusters.ts';

/** Most elements of a list in one call. */
export const mostItems = 1_000;

const longestName = 100;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const controlCharacter = /[\u0000-\u001f\u007f]/;

export function clusterToMessage({ createdAt, ...row }: ClusterRow): Cluster {
  return { ...row, createdAt: Math.floor(createdAt.getTime() / 1000) };
}

export function ownersToMessages(owners: ReadonlyMap<number, ObjectOwner>): ObjectOwnerMessage[] {
  return [...owners].map(([id, { ownerId }]) => ({ id, ownerId, teamId: 0, isOwnersTeam: false }));
}

/**
 * Reads ids (of objects or accounts), each at least 1.
 * @throws Fault
 */
export function idsFromMessage(path: string, ids: readonly number[]): readonly number[] {
  if (ids.length > mostItems) throw tooManyItems(path, mostItems);
  const violations = ids.flatMap((id, index) => (id >= 1 ? [] : [belowOne(`${path}[${index}]`)]));
  if (violations.length > 0) throw invalidValues(violations);
  return ids;
}

/**
 * Reads fields that are ids, each at least 1. A field that is not set counts as 0.
 * @throws Fault that names all that are not
 */
export function idsFromFields<Name extends string>(
  fields: Readonly<Record<Name, number | undefined>>,
): Readonly<Record<Name, number>> {
  const entries = Object.entries<number | undefined>(fields).map(([name, id]) => [name, id ?? 0] as const);
  const violations = entries.flatMap(([name, id]) => (id >= 1 ? [] : [belowOne(name)]));
  if (violations.length > 0) throw invalidValues(violations);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/**
 * Reads clusters to put; UIDs become lower case.
 * @throws Fault that names all that is wrong
 */
export function clustersFromMessage({ clusters }: PutClustersRequest): NewCluster[] {
  if (clusters.length > mostItems) throw tooManyItems('clusters', mostItems);
  const violations: Violation[] = [];
  const places = new Map<string, string>();
  const read = clusters.map(({ uid = '', ownerId = 0, name = '', displayName }, index): NewCluster => {
    const place = `clusters[${index}]`;
    const cluster = { uid: uid.toLowerCase(), ownerId, name, displayName };
    const twin = places.get(cluster.uid);
    if (!uuid.test(cluster.uid)) {
      violations.push({ path: `${place}.uid`, message: 'must be a UUID' });
    } else if (twin === undefined) {
      places.set(cluster.uid, place);
    } else {
      violations.push({ path: `${place}.uid`, message: `is given by ${twin} too` });
    }
    if (ownerId < 1) violations.push(belowOne(`${place}.ownerId`));
    violations.push(...textViolations(`${place}.name`, name, 1));
    violations.push(...textViolations(`${place}.displayName`, displayName, 0));
    return cluster;
  });
  if (violations.length > 0) throw invalidValues(violations);
  return read;
}

function belowOne(path: string): Violation {
  return { path, message: 'must be at least 1' };
}

function textViolations(path: string, text: string, least: number): Violation[] {
  const violations: Violation[] = [];
  // Characters, as PostgreSQL counts them, not UTF-16 units.
  const length = text.length > 2 * longestName ? text.length : [...text].length;
  if (length < least || length > longestName) {
    violations.push({ path, message: `must have ${least} to ${longestName} characters` });
  }
  if (controlCharacter.test(text)) violations.push({ path, message: 'must not have control characters' });
  return violations;
}
