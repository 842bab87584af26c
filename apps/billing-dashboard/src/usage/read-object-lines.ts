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
  /** The group, kind, name and namespace, as fields of a JSON object. */
  readonly members: string;
  readonly namespaceUid: string;
}

/** The rows to read for the objects of a cluster. `given.owner_id` and `given.cluster_uid` identify the cluster. */
export interface ObjectLines<Item> {
  /** A statement that runs once for the cluster and returns one row, `of_cluster`. */
  readonly ofCluster?: Fragment;
  /** SQL after `from`, with `metered_object object`. An object may have several rows, by contract and class. */
  readonly from: Fragment;
  /** Values of each row, without nulls and tabs. */
  readonly values: readonly Fragment[];
  /** Converts a row to an item. @param values as text */
  toItem(line: ObjectLine, values: readonly string[]): Item;
  /** Merges the items of two rows of the same object. */
  merge(one: Item, other: Item): Item;
}

/**
 * Reads the objects of each cluster as one text. To read 100,000 rows with columns would take several times as long.
 * This process handles a cluster while PostgreSQL reads the next ones (ADR 0156).
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
