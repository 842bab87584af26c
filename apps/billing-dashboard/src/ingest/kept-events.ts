import type { Member, ShareRefusal } from '@platform/bus';
import { type Database, type Queryable, sql, type Transaction } from '@platform/postgres';
import { type Deadline, deadlineIn, loop, type OpenService } from '@platform/service';

/**
 * Quotas of an owner: events and bytes that may be stored as raw events (`kept`) and as parked events. A product in a
 * cluster may use half of each quota (open-points 13.5).
 */
export type KeptLimits = Readonly<Record<'keptEvents' | 'keptBytes' | 'parkedEvents' | 'parkedBytes', number>>;

type Kind = 'raw' | 'parked';

/** A share that is full or nearly full. A share is the quota of an owner, or of a product in a cluster. */
interface FilledShare {
  readonly kind: Kind;
  readonly ownerId: number;
  /** Null for the share of the owner. */
  readonly clusterUid: string | null;
  readonly productName: string | null;
  readonly isFull: boolean;
}

/**
 * Interval at which the amounts of stored events are read, in milliseconds. Events that arrive between two readings may
 * exceed a quota.
 */
const everyMs = 5_000;
const lookMs = 4_000;
/** Time after which an agent may send again if a quota is full, in seconds. */
const retrySeconds = 60;
const nearlyFull = 0.8;

/**
 * Refuses events if the quota of the owner, or of the product in the cluster, is full (ADR 0213). Also refuses events
 * while the number of stored events is not known yet.
 */
export interface KeptShares {
  refusalOf(member: Member): ShareRefusal | undefined;
  look(deadline: Deadline): Promise<void>;
  /** Returns the quotas that are full or nearly full; undefined before the first reading. */
  filled(): readonly FilledShare[] | undefined;
}

/** `refusalOf` uses the result of the last `look`. Before the first `look`, it refuses all events. */
export function createKeptShares(database: Queryable, limits: KeptLimits): KeptShares {
  let filled: readonly FilledShare[] | undefined;
  let full = new Map<string, Kind>();
  return {
    refusalOf: ({ ownerId, clusterUid, productName }) => {
      if (filled === undefined) return { reason: 'the number of stored events is not known yet', retrySeconds: 1 };
      const ofOrganization = full.get(keyOf({ ownerId, clusterUid: null, productName: null }));
      const kind = ofOrganization ?? full.get(keyOf({ ownerId, clusterUid, productName }));
      if (kind === undefined) return undefined;
      const whose = ofOrganization === undefined ? 'product in the cluster' : 'owner';
      return { reason: `the quota of ${kind} events of the ${whose} is full`, retrySeconds };
    },
    look: async (deadline) => {
      filled = await readFilledShares(database, limits, deadline);
      full = new Map(filled.filter(({ isFull }) => isFull).map((share) => [keyOf(share), share.kind]));
    },
    filled: () => filled,
  };
}

/** Regularly reads the amounts of stored events. The readiness report mentions quotas that are full. */
export function watchKeptShares(
  { stack, log, metrics, readiness }: Pick<OpenService, 'stack' | 'log' | 'metrics' | 'readiness'>, database: Database,
  limits: KeptLimits,
): KeptShares {
  const shares = createKeptShares(database, limits);
  const count = (kind: Kind, isFull: boolean) =>
    (shares.filled() ?? []).filter((share) => share.kind === kind && share.isFull === isFull).length;
  const full = metrics.gauge({
    name: 'member_shares_full',
    help: 'Owners, and products in clusters, whose quota of stored events is full, by kind: raw, parked.',
    labels: ['kind'],
  });
  const nearlyFull = metrics.gauge({
    name: 'member_shares_nearly_full',
    help: 'Owners, and products in clusters, whose quota of stored events is filled to 80 % or more, but not '
      + 'full, by kind: raw, parked.',
    labels: ['kind'],
  });
  readiness.mentions('quotas of events', async () => {
    const found = (shares.filled() ?? []).filter(({ isFull }) => isFull);
    if (found.length > 0) throw new Error(`full: ${found.slice(0, 3).map(shown).join('; ')}${found.length > 3 ? '; …' : ''}`);
  });
  stack.use(loop('kept events', everyMs, async (stopping) => {
    await shares.look(deadlineIn(lookMs, stopping));
    for (const kind of ['raw', 'parked'] as const) {
      full.set({ kind }, count(kind, true));
      nearlyFull.set({ kind }, count(kind, false));
    }
  }, log));
  return shares;
}

/**
 * Adds the number and the bytes of raw events to `kept_events`. Locks rows in the order of their keys, to avoid
 * deadlocks between batches.
 */
export async function countRawEvents(
  transaction: Transaction, events: readonly (Member & { receivedAt: Date; bytes: number })[],
): Promise<void> {
  if (events.length === 0) return;
  await transaction.execute(sql`
    insert into kept_events as kept (owner_id, cluster_uid, product_name, kind, month, events, bytes)
    select "ownerId", "clusterUid", "productName", 'raw',
           date_trunc('month', "receivedAt" at time zone 'UTC')::date, count(*), sum(bytes)
      from jsonb_to_recordset(${sql.json(events)}::jsonb) as given (
        "ownerId" bigint, "clusterUid" text, "productName" text, "receivedAt" timestamptz, bytes bigint
      )
     group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
        on conflict on constraint kept_events_pkey do update
           set events = kept.events + excluded.events, bytes = kept.bytes + excluded.bytes`);
}

function readFilledShares(
  queryable: Queryable, { keptEvents, keptBytes, parkedEvents, parkedBytes }: KeptLimits, deadline: Deadline,
): Promise<FilledShare[]> {
  return queryable.query(sql<FilledShare>`
    select kind, owner_id as "ownerId", cluster_uid as "clusterUid", product_name as "productName",
           share >= 1 as "isFull"
      from (
        select total.*, greatest(events / most_events::float8, bytes / most_bytes::float8)
                        * case when cluster_uid is null then 1 else 2 end as share
          from (
            select kind, owner_id, cluster_uid, product_name, sum(events) as events, sum(bytes) as bytes
              from kept_events
             group by grouping sets ((kind, owner_id), (kind, owner_id, cluster_uid, product_name))
          ) total
          join (values
            ('raw', ${keptEvents}::bigint, ${keptBytes}::bigint),
            ('parked', ${parkedEvents}::bigint, ${parkedBytes}::bigint)
          ) quota (kind, most_events, most_bytes) using (kind)
      ) share
     where share >= ${nearlyFull}
     order by "isFull" desc, owner_id, cluster_uid nulls first, product_name`, { deadline });
}

function keyOf({ ownerId, clusterUid, productName }: Omit<FilledShare, 'kind' | 'isFull'>): string {
  return clusterUid === null ? String(ownerId) : `${ownerId} ${clusterUid} ${productName}`;
}

function shown({ kind, ownerId, clusterUid, productName }: FilledShare): string {
  const member = clusterUid === null ? '' : `, cluster ${clusterUid}, product ${productName}`;
  return `${kind} events of account ${ownerId}${member}`;
}
