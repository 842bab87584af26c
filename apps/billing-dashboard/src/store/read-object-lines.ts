import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** A cluster whose objects were read; they are made of its lines when they are asked for. */
export interface ObjectsOfCluster<Item> {
  readonly ownerId: number;
  readonly clusterUid: string;
  objects(): Item[];
}

/** What views show of an object, and what else was read of it. */
export interface ObjectLine {
  readonly meteredId: number;
  readonly objectUid: string;
  /** JSON: its UID; its group, kind, name and namespace as members of an object; the UID of its namespace. */
  readonly uid: string;
  readonly members: string;
  readonly namespaceUid: string;
  /** As text. */
  readonly values: readonly string[];
}

/**
 * Reads objects in lines, those of a cluster as one text: as columns of 100,000 rows, they would take several times as
 * long (ADR 0156).
 * @param from has `metered_object object`; an object may have several rows, for contracts and classes
 * @param values of each row; none is null, none has tabs or line ends
 * @param toItem what the first line of an object becomes
 * @param merge puts another line of the object into it
 */
export async function readObjectLines<Item>(
  queryable: Queryable,
  { from, values, toItem, merge }: {
    from: Fragment; values: readonly Fragment[]; toItem(line: ObjectLine): Item; merge(item: Item, other: Item): void;
  },
  deadline: Deadline,
): Promise<ObjectsOfCluster<Item>[]> {
  const line = sql.join([sql`object.id`, sql`object.line`, ...values], sql` || E'\\t' || `);
  const clusters = await queryable.query(sql<{ ownerId: number; clusterUid: string; lines: string }>`
    select object.owner_id as "ownerId", object.cluster_uid as "clusterUid", string_agg(${line}, E'\\n') as "lines"
      from ${from} group by object.owner_id, object.cluster_uid`, { deadline });
  return clusters.map(({ ownerId, clusterUid, lines }) => ({
    ownerId,
    clusterUid,
    objects: () => {
      const byId = new Map<number, Item>();
      for (const text of lines.split('\n')) {
        const parts = toLine(text);
        const item = toItem(parts);
        const known = byId.get(parts.meteredId);
        if (known === undefined) byId.set(parts.meteredId, item);
        else merge(known, item);
      }
      return [...byId.values()];
    },
  }));
}

function toLine(text: string): ObjectLine {
  const [id, uid, members, namespaceUid, ...values] = text.split('\t') as [string, string, string, string];
  const objectUid = uid.includes('\\') ? JSON.parse(uid) as string : uid.slice(1, -1);
  return { meteredId: Number(id), objectUid, uid, members, namespaceUid, values };
}
