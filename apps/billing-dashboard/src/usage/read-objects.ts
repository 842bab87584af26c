import { type Fragment, type Queryable, sql } from '@platform/postgres';
import { notFound } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { Segment } from './segments.ts';
import { micros } from './micros.ts';

/** A metered object as its latest event describes it. Times are microseconds since 1970. */
export interface MeteredObject {
  readonly id: number;
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly product: string;
  readonly objectUid: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly createdUs: number;
  readonly deletedUs: number | null;
}

/** How long lists of objects still show a deleted object (open-points 7.2). */
export const keptAfterDeletion = sql`interval '6 months'`;

const isKept = sql`(deleted_at is null or deleted_at > now() - ${keptAfterDeletion})`;

/**
 * Finds an object by its cluster and UID. If no product is given, searches all products, but ignores objects deleted
 * more than 6 months ago.
 * @throws Fault NOT_FOUND
 */
export async function findObject(
  queryable: Queryable,
  { ownerId, clusterUid, objectUid, product }: {
    ownerId: number | undefined; clusterUid: string; objectUid: string; product?: string | undefined;
  },
  deadline: Deadline,
): Promise<MeteredObject> {
  const [object] = await queryable.query(sql<MeteredObject>`
    select id, owner_id as "ownerId", cluster_uid as "clusterUid", product, object_uid as "objectUid",
           api_group as "group", kind, name, namespace, namespace_uid as "namespaceUid",
           ${micros(sql`created_at`)} as "createdUs", ${micros(sql`deleted_at`)} as "deletedUs"
      from metered_object
     where ${areOfCluster(ownerId, clusterUid)} and object_uid = ${objectUid}
       and ${product === undefined ? sql`true` : sql`product = ${product}`}
       and created_at is not null and ${product === undefined ? isKept : sql`true`}
     order by id limit 1`, { deadline });
  if (object === undefined) throw notFound('there is no such object');
  return object;
}

/**
 * SQL condition: a row of `metered_object` or `usage_month` belongs to the owner and the cluster. If no owner is given,
 * the condition names all owners with events from the cluster, because `owner_id` comes before `cluster_uid` in the
 * indexes.
 */
export function areOfCluster(ownerId: number | undefined, clusterUid: string): Fragment {
  const owners = ownerId === undefined
    ? sql`array(select distinct owner_id from product_contact where cluster_uid = ${clusterUid}::uuid)`
    : sql`array[${ownerId}::bigint]`;
  return sql`owner_id = any (${owners}) and cluster_uid = ${clusterUid}::uuid`;
}

/** Returns the segments of an object in a month by ascending start, cut at `until` (microseconds since 1970). */
export async function readModeIntervals(
  queryable: Queryable, meteredId: number, firstDay: string, until: number, deadline: Deadline,
): Promise<Omit<Segment, 'eventAt'>[]> {
  const rows = await queryable.query(sql<Omit<Segment, 'cpu' | 'memory' | 'eventAt'> & { cpu: string; memory: string }>`
    select from_us as "from", least(to_us, ${until}::bigint) as "to", cpu, memory, contract_id as "contractId", class,
           mode
      from usage_segment
     where metered_id = ${meteredId} and month = ${firstDay}::date and from_us < ${until}::bigint
     order by from_us`, { deadline });
  return rows.map(({ cpu, memory, ...row }) => ({ ...row, cpu: BigInt(cpu), memory: BigInt(memory) }));
}
