import { binaryQuantity, decimalQuantity } from '@platform/values';
import { readQuantity } from '../payload/quantity.ts';
import { at, textAt } from '../payload/json.ts';
import type { Detail } from '../payload/metered.ts';
import type { BilledObject } from './read-billed-objects.ts';
import type { DetailedVersion } from './read-versions.ts';

/** A database of a namespace report, and what its latest event states about the namespace. */
export interface DatabaseReport {
  readonly object: BilledObject;
  readonly lastAt: number;
  readonly namespace: Pick<Detail, 'clientOrgId' | 'namespaceCreatedAt' | 'namespaceMetadata'>;
  readonly shown: object;
}

/**
 * Makes the report of a database (open-points 7.4). Add its versions one by one, ascending.
 * @param now microseconds since 1970
 */
export function startDatabaseReport(object: BilledObject, now: number) {
  const volumes = new Map<string, Volume>();
  let last: DetailedVersion | undefined;
  return {
    id: object.id,
    add: (version: DetailedVersion): void => {
      noteVolumes(volumes, version);
      last = version;
    },
    finish: (): DatabaseReport => {
      const { at: lastAt } = last!;
      const { clientOrgId, namespaceCreatedAt, namespaceMetadata, pods } = last!.detail as Detail;
      const deletedAt = object.deletedUs === null ? undefined : seconds(object.deletedUs);
      const isShown = (volume: Volume) => (volume.deletedAt ?? Infinity) > seconds(object.shownSinceUs);
      return {
        object, lastAt,
        namespace: { clientOrgId, namespaceCreatedAt, namespaceMetadata },
        shown: {
          databaseInfo: {
            uid: object.objectUid, group: object.group, kind: object.kind, product: object.product, name: object.name,
            createdAt: seconds(object.createdUs), ...(deletedAt === undefined ? {} : { deletedAt }),
          },
          podDetails: deletedAt === undefined ? podDetails(pods, seconds(lastAt), seconds(now)) : [],
          volumeDetails: volumeDetails([...volumes.values()].filter(isShown), deletedAt, seconds(now)),
        },
      };
    },
  };
}

/** Groups pods by size. */
function podDetails(all: Detail['pods'], otherwise: number, now: number) {
  const flavors = Map.groupBy(all, (pod) => JSON.stringify(flavorOf(pod)));
  return [...flavors].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([flavor, pods]) => {
    const createdAt = Math.min(...pods.map((pod) => createdOf(pod, otherwise)));
    return { flavor: JSON.parse(flavor) as unknown, count: pods.length, createdAt, age: Math.max(0, now - createdAt) };
  });
}

/** The resources of all containers of a pod together: limits, otherwise requests. */
function flavorOf(pod: unknown): { cpu: string; memory: string } {
  const containers = at(pod, 'containers');
  const sum = (resource: string): bigint => (Array.isArray(containers) ? containers : []).reduce<bigint>(
    (all, container: unknown) => all + quantityOr0(
      at(container, 'resource', 'limits', resource) ?? at(container, 'resource', 'requests', resource),
    ), 0n,
  );
  return { cpu: decimalQuantity(sum('cpu')), memory: binaryQuantity(sum('memory')) };
}

interface Volume {
  readonly name: string;
  readonly initialSize: string;
  readonly expansions: { readonly size: string; readonly timestamp: number }[];
  readonly createdAt: number;
  size: string;
  deletedAt: number | undefined;
}

/** Adds the volumes of a version to those of its object. */
function noteVolumes(volumes: Map<string, Volume>, { detail, at: versionAt, type }: DetailedVersion): void {
  if (type === 'deleted') return;
  const timestamp = seconds(versionAt);
  const there = new Set<string>();
  for (const volume of detail.volumes) {
    const key = textAt(volume, 'uid') || textAt(volume, 'name');
    const size = binaryQuantity(quantityOr0(at(volume, 'resources', 'requests', 'storage')));
    const known = volumes.get(key);
    there.add(key);
    if (known === undefined) {
      volumes.set(key, {
        name: textAt(volume, 'name'), initialSize: size, size, expansions: [],
        createdAt: createdOf(volume, timestamp), deletedAt: undefined,
      });
    } else {
      if (known.size !== size) known.expansions.push({ size, timestamp });
      Object.assign(known, { size, deletedAt: undefined });
    }
  }
  for (const [key, volume] of volumes) if (!there.has(key)) volume.deletedAt ??= timestamp;
}

function volumeDetails(volumes: readonly Volume[], objectDeletedAt: number | undefined, now: number) {
  return volumes.map(({ name, initialSize, expansions, createdAt, deletedAt = objectDeletedAt }) => ({
    name, initialSize, expansions, createdAt, age: Math.max(0, (deletedAt ?? now) - createdAt),
    ...(deletedAt === undefined ? {} : { deletedAt }),
  }));
}

function createdOf(part: unknown, otherwise: number): number {
  const milliseconds = Date.parse(textAt(part, 'creationTimestamp'));
  return Number.isNaN(milliseconds) ? otherwise : Math.floor(milliseconds / 1000);
}

/** Pods and volumes are shown but not billed, so a value that is not a quantity counts as 0. */
function quantityOr0(value: unknown): bigint {
  try {
    return readQuantity(value, '');
  } catch {
    return 0n;
  }
}

function seconds(microseconds: number): number {
  return Math.floor(microseconds / 1_000_000);
}
