import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Detail } from '../ingest/metered.ts';
import { inOrder, type Version } from '../usage/segments.ts';
import { micros, windows } from './micros.ts';

/** A version of a metered object. */
export interface StoredVersion extends Version {
  readonly meteredId: number;
  /** Billionths of a byte. */
  readonly storage: bigint;
  readonly replicas: number;
  readonly detail: Detail;
}

type Row = Omit<StoredVersion, 'cpu' | 'memory' | 'storage'> & { cpu: string; memory: string; storage: string };

/** Versions by the object they are of, in order. @param which restricts `version` */
export async function readVersions(
  queryable: Queryable, which: Fragment, options: { deadline?: Deadline } = {},
): Promise<Map<number, StoredVersion[]>> {
  const rows = await queryable.query(sql<Row>`
    select version.metered_id as "meteredId", ${micros(sql`version.at`)} as "at", version.generation,
           encode(version.identity, 'hex') as "identity", version.type, ${windows(sql`version.seen`)} as "seen",
           version.cpu, version.memory, version.storage, version.replicas, version.mode,
           version.resource_trial as "resourceTrial", version.detail
      from object_version version where ${which}`, options);
  const versions = rows.map(({ cpu, memory, storage, ...row }) => ({
    ...row, cpu: BigInt(cpu), memory: BigInt(memory), storage: BigInt(storage),
  }));
  const byObject = Map.groupBy(versions, ({ meteredId }) => meteredId);
  return new Map([...byObject].map(([id, own]) => [id, inOrder(own)]));
}
