import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Detail } from '../ingest/metered.ts';
import { inOrder, type Version } from '../usage/segments.ts';
import { micros, windows } from './micros.ts';

/** A version of a metered object. */
export interface StoredVersion extends Version {
  readonly meteredId: number;
  /** Billionths of a byte. */
  readonly storage: bigint;
  readonly replicas: number;
}

/** With what an object says of itself, which may be large: its pods and volumes. */
export interface DetailedVersion extends StoredVersion {
  readonly detail: Detail;
}


/** Versions by the object they are of, in order. @param which restricts `version` */
export function readVersions(
  queryable: Queryable, which: Fragment, options: QueryOptions = {},
): Promise<Map<number, StoredVersion[]>> {
  return read<StoredVersion>(queryable, sql`version.metered_id as "meteredId"`, which, options);
}

/** As {@link readVersions}, with their details. */
export function readDetailedVersions(
  queryable: Queryable, which: Fragment, options: QueryOptions = {},
): Promise<Map<number, DetailedVersion[]>> {
  return read<DetailedVersion>(queryable, sql`version.metered_id as "meteredId", version.detail`, which, options);
}

async function read<Read extends StoredVersion>(
  queryable: Queryable, columns: Fragment, which: Fragment, options: QueryOptions,
): Promise<Map<number, Read[]>> {
  const rows = await queryable.query(sql<Read & { cpu: string; memory: string; storage: string }>`
    select ${columns}, ${micros(sql`version.at`)} as "at", version.generation,
           encode(version.identity, 'hex') as "identity", version.type, ${windows(sql`version.seen`)} as "seen",
           version.cpu, version.memory, version.storage, version.replicas, version.mode,
           version.resource_trial as "resourceTrial"
      from object_version version where ${which}`, options);
  const versions = rows.map((row) => ({
    ...row, cpu: BigInt(row.cpu), memory: BigInt(row.memory), storage: BigInt(row.storage),
  }));
  const byObject = Map.groupBy(versions, ({ meteredId }) => meteredId);
  return new Map([...byObject].map(([id, own]) => [id, inOrder(own)]));
}
