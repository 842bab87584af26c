import type { Outage } from '@platform/proto/billing/v1/outage';
import { type Queryable, sql, type Transaction, UniqueViolation } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { uuidProblem } from '@platform/values';

/** An outage. It includes `start` and excludes `end`. */
interface NewOutageRow {
  /** 0 if the outage is not limited to one account. */
  readonly accountId: number;
  /** Empty if the outage is not limited to one cluster. */
  readonly clusterId: string;
  readonly start: Date;
  readonly end: Date;
  readonly tags: readonly string[];
  readonly comments: string;
}

export interface OutageRow extends NewOutageRow {
  readonly id: number;
  /** Null if the outage is not limited to one account, or if this service does not know the account. */
  readonly accountName: string | null;
  readonly createdAt: Date;
}

/** Adds an outage. Calls for the same account and cluster take turns to avoid deadlocks. @throws Fault OVERLAPPING */
export async function insertOutage(
  transaction: Transaction, outage: NewOutageRow,
): Promise<Omit<OutageRow, 'accountName'>> {
  const { accountId, clusterId, start, end, tags, comments } = outage;
  await transaction.query(sql`
    select pg_advisory_xact_lock('outage'::regclass::oid::integer, hashtext(${`${accountId} ${clusterId}`}))`);
  try {
    const { id, createdAt } = await transaction.one(sql<{ id: number; createdAt: Date }>`
      insert into outage (account_id, cluster_id, starts_at, ends_at, tags, comments)
      values (${accountId}, ${clusterId}, ${start}, ${end}, ${tags}, ${comments})
      returning id, created_at as "createdAt"`);
    return { ...outage, id, createdAt };
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.constraint !== 'outage_overlaps') throw error;
    throw new Fault('OVERLAPPING', 'the outage overlaps another outage with the same account and clusterID', {
      cause: error,
    });
  }
}

/**
 * Reads the outages that match all filters, the latest start first. An outage matches `tags` if it has at least one of
 * them, or if `tags` is empty.
 */
export function readOutages(
  queryable: Queryable,
  { endsAfter, accountId, clusterId, tags }: {
    endsAfter: Date | undefined; accountId: number | undefined; clusterId: string | undefined; tags: readonly string[];
  },
  deadline: Deadline,
): Promise<OutageRow[]> {
  const conditions = [
    sql`true`,
    ...(endsAfter === undefined ? [] : [sql`ends_at > ${endsAfter}`]),
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(clusterId === undefined ? [] : [sql`cluster_id = ${clusterId}`]),
    ...(tags.length === 0 ? [] : [sql`tags && ${tags}::text[]`]),
  ];
  return queryable.query(sql<OutageRow>`
    select outage.id, account_id as "accountId", account.slug as "accountName", cluster_id as "clusterId",
           starts_at as "start", ends_at as "end", tags, comments, created_at as "createdAt"
      from outage left join account on account.id = account_id
     where ${sql.join(conditions, sql` and `)}
     order by starts_at desc, outage.id`, { deadline });
}

/**
 * Reads cluster names by the `clusterId` of outages. If a cluster has several imports, the latest one counts. A removed
 * import counts only if all are removed.
 */
export async function readNamesOfClusters(
  queryable: Queryable, texts: readonly string[], deadline: Deadline,
): Promise<ReadonlyMap<string, string>> {
  const uids = texts.filter((text) => uuidProblem(text) === undefined);
  const rows = await queryable.query(sql<{ text: string; name: string }>`
    select distinct on (given.text) given.text, cluster.name
      from unnest(${uids}::text[]) as given (text) join cluster on cluster.uid = given.text::uuid
     order by given.text, cluster.removed, cluster.id desc`, { deadline });
  return new Map(rows.map(({ text, name }) => [text, name]));
}

export function showOutage({ tags, accountName, clusterId, comments, ...row }: OutageRow): Outage {
  return {
    ...row, tags: [...tags],
    accountName: accountName ?? undefined, clusterId: clusterId || undefined, comments: comments || undefined,
  };
}
