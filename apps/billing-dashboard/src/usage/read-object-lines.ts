import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

export interface OwnedCluster {
  readonly ownerId: number;
  readonly clusterUid: string;
}

export interface ObjectLine {
  readonly meteredId: number;
  readonly objectUid: string;
  /** UID of the object, as JSON. `namespaceUid` is JSON, too. */
  readonly uid: string;
  /** The JSON fields `group`, `kind`, `name` and `namespace`, without the braces of an object. */
  readonly members: string;
  readonly namespaceUid: string;
}

/**
 * Describes which rows to read for the objects of a cluster, and how to convert a row to an item. In all SQL of this
 * interface, `given.owner_id` and `given.cluster_uid` identify the cluster.
 */
export interface ObjectLines<Item> {
  /** A statement that runs once for each cluster. It returns one row, which `from` and `values` see as `of_cluster`. */
  readonly ofCluster?: Fragment;
  /**
   * The SQL after the keyword `from`. It must contain the table `metered_object` under the alias `object`. An object
   * may have several rows, one for each contract and billing class.
   */
  readonly from: Fragment;
  /** SQL for the values of each row. No value may be null or contain a tab. */
  readonly values: readonly Fragment[];
  /** Converts a row to an item. @param values the results of the SQL `values`, as text */
  toItem(line: ObjectLine, values: readonly string[]): Item;
  /** Merges the items of two rows of the same object. */
  merge(one: Item, other: Item): Item;
}

/**
 * Reads the objects of each cluster as one text, because reading 100,000 separate rows would take much longer. This
 * process handles the objects of a cluster while PostgreSQL reads the next clusters (ADR 0156).
 * @param take not called for a cluster without objects
 */
export async function readObjectLines<Item>(
  queryable: Queryable, clusters: readonly OwnedCluster[], lines: ObjectLines<Item>,
  take: (objects: Iterable<Item>, cluster: OwnedCluster) => void, deadline: Deadline,
): Promise<void> {
  const row = sql.join([sql`object.id`, sql`object.line`, ...lines.values], sql` || E'\\t' || `);
  await queryable.each(sql<{ place: number; lines: string }>`
    select given.place, of_objects.lines
      from unnest(
        ${clusters.map(({ ownerId }) => ownerId)}::bigint[], ${clusters.map(({ clusterUid }) => clusterUid)}::uuid[]
      ) with ordinality as given (owner_id, cluster_uid, place)
     cross join lateral (${lines.ofCluster ?? sql`select`}) of_cluster
     cross join lateral (select string_agg(${row}, E'\\t') as lines from ${lines.from}) of_objects
     where of_objects.lines is not null`,
  ({ place, lines: texts }) => take(toItems(texts, lines), clusters[place - 1]!), { deadline });
}

function toItems<Item>(text: string, { values, toItem, merge }: ObjectLines<Item>): Iterable<Item> {
  const parts = text.split('\t');
  const width = 4 + values.length;
  const byId = new Map<number, Item>();
  for (let at = 0; at < parts.length; at += width) {
    const meteredId = Number(parts[at]);
    const [uid, members, namespaceUid] = [parts[at + 1]!, parts[at + 2]!, parts[at + 3]!];
    const objectUid = uid.includes('\\') ? JSON.parse(uid) as string : uid.slice(1, -1);
    const item = toItem({ meteredId, objectUid, uid, members, namespaceUid }, parts.slice(at + 4, at + width));
    const known = byId.get(meteredId);
    byId.set(meteredId, known === undefined ? item : merge(known, item));
  }
  return byId.values();
}
