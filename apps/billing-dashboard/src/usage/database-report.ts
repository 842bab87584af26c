import { binaryQuantity, decimalQuantity } from '@platform/values';
import { readQuantity } from '../payload/quantity.ts';
import { at, textAt } from '../payload/json.ts';
import type { Detail } from '../payload/metered.ts';
import type { BilledObject } from './read-billed-objects.ts';
import type { DetailedVersion } from './read-versions.ts';

/** The part of a namespace report that describes one database (open-points 7.4). */
export interface DatabaseReport {
  readonly id: number;
  /** Time of the latest event, in microseconds since 1970. Repetitions of an event do not count. */
  readonly lastAt: number;
  /** JSON of a {@link ReportedNamespace}. */
  readonly namespace: string;
  /** JSON of a report, with placeholders for the ages of its objects. {@link withAges} replaces the placeholders. */
  readonly report: string;
  /**
   * Time of the earliest deletion of a volume in `report`, in seconds since 1970; null if there was none. Volumes that
   * were deleted together with the database do not count.
   */
  readonly firstDeletion: number | null;
}

/** What the latest event of a database states about its namespace. */
export type ReportedNamespace = Pick<Detail, 'clientOrgId' | 'namespaceCreatedAt' | 'namespaceMetadata'>
  & Readonly<Record<'clusterUid' | 'name' | 'uid', string>>;

/** Builds the report of a database. Add the versions of the database, at least one, in ascending order. */
export function startDatabaseReport(object: BilledObject) {
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
      const namespace: ReportedNamespace = {
        clusterUid: object.clusterUid, name: object.namespace, uid: object.namespaceUid,
        clientOrgId, namespaceCreatedAt, namespaceMetadata,
      };
      const deletedAt = object.deletedUs === null ? undefined : seconds(object.deletedUs);
      const shown = [...volumes.values()].filter(({ deletedAt: at = Infinity }) => at > seconds(object.shownSinceUs));
      const deletions = shown.flatMap((volume) => volume.deletedAt ?? []);
      const databaseInfo = {
        uid: object.objectUid, group: object.group, kind: object.kind, product: object.product, name: object.name,
        createdAt: seconds(object.createdUs), ...(deletedAt === undefined ? {} : { deletedAt }),
      };
      const podDetails = deletedAt === undefined ? podDetailsOf(pods, seconds(lastAt)) : '';
      return {
        id: object.id, lastAt, namespace: JSON.stringify(namespace),
        report: `{"databaseInfo":${JSON.stringify(databaseInfo)},"podDetails":[${podDetails}],`
          + `"volumeDetails":[${volumeDetailsOf(shown, deletedAt)}]}`,
        firstDeletion: deletions.length === 0 ? null : Math.min(...deletions),
      };
    },
  };
}

/**
 * Returns the JSON of a report. Replaces each placeholder of {@link growingSince} by the age at `now`.
 * @param parts the report, split at its tabs
 * @param now seconds since 1970
 */
export function withAges(parts: readonly string[], now: number): string {
  let text = parts[0]!;
  for (let place = 1; place < parts.length; place += 2) text += ageAt(now, Number(parts[place])) + parts[place + 1]!;
  return text;
}

function ageAt(now: number, since: number): number {
  return Math.max(0, now - since);
}

/** Returns a placeholder for a growing age: a tab, the start time, a tab. The JSON of a report has no other tabs. */
function growingSince(since: number): string {
  return `\t${since}\t`;
}

function podDetailsOf(all: Detail['pods'], otherwise: number): string {
  const flavors = Map.groupBy(all, (pod) => JSON.stringify(flavorOf(pod)));
  return [...flavors].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([flavor, pods]) => {
    const createdAt = Math.min(...pods.map((pod) => createdOf(pod, otherwise)));
    return `{"flavor":${flavor},"count":${pods.length},"createdAt":${createdAt},"age":${growingSince(createdAt)}}`;
  }).join(',');
}

/** Sums up the limits of all containers of a pod. A container without a limit counts with its request. */
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

function volumeDetailsOf(volumes: readonly Volume[], objectDeletedAt: number | undefined): string {
  return volumes.map(({ name, initialSize, expansions, createdAt, deletedAt = objectDeletedAt }) =>
    `${JSON.stringify({ name, initialSize, expansions, createdAt }).slice(0, -1)},"age":`
      + (deletedAt === undefined ? growingSince(createdAt) : `${ageAt(deletedAt, createdAt)},"deletedAt":${deletedAt}`)
      + '}').join(',');
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

export function seconds(microseconds: number): number {
  return Math.floor(microseconds / 1_000_000);
}
