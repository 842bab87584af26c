import { type Database, type Fragment, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { JsonObject } from '../payload/json.ts';

/**
 * A version of an object. `receivedAt` is when the first copy of its event arrived. The stored raw event may be a later
 * copy.
 */
export interface VersionKey {
  readonly objectId: number;
  readonly version: number;
  readonly receivedAt: Date;
}

export interface RawEvent {
  /** `data.resourceID` of the event, such as `{group, version, name, kind, scope}`. */
  readonly resourceId: JsonObject;
  readonly resource: JsonObject;
}

/**
 * The part of a raw event that is shown in a list of events. A list may have 1,000 events of a megabyte each, so the
 * part leaves out values that exceed the limits below. From `metadata`, it also leaves out JSON arrays and JSON
 * objects, except labels and annotations. {@link RawEvents.read} returns the whole raw event.
 */
export interface RawHead {
  /** `apiVersion` and `kind` are empty if the event lacks them, or if they exceed the limit. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The fields {@link shownMetadata} that the event has, except fields that this part leaves out (see above). */
  readonly metadata: JsonObject;
}

/** Fields of `metadata` that are maps. */
const shownMaps = ['labels', 'annotations'];
/** Fields of `metadata` that lists show (open-points 8.3). */
const shownMetadata = ['name', 'namespace', 'uid', 'generation', ...shownMaps, 'creationTimestamp'];
/** Maximum size of a shown value, in bytes. */
const mostShownBytes = 512;
/** Maximum size of all shown entries of a map together, in bytes. */
const mostMapBytes = 2_048;
/** Maximum size of a map whose entries are read, in bytes. Reading larger maps in 1,000 events would take too long. */
const mostReadBytes = 16_384;
/** Maximum number of events per statement. Each event may have a megabyte. */
const mostRows = 100;

/** Full contents of events. They are read by key only, so they could be stored outside PostgreSQL (docs/scale.md). */
export interface RawEvents {
  /** Prepares the storage for events that arrived at these times. Call it before the transaction that adds them. */
  prepare(arrivals: readonly Date[], deadline: Deadline): Promise<void>;
  /**
   * Stores the contents of new versions, at the latest when the transaction commits. The same version may be added
   * again, because a failed batch is repeated.
   */
  add(transaction: Transaction, events: readonly (VersionKey & RawEvent)[]): Promise<void>;
  /** Reads a {@link RawHead} for each key, in the order of the keys; undefined for an event that is no longer kept. */
  readHeads(keys: readonly VersionKey[], deadline: Deadline): Promise<readonly (RawHead | undefined)[]>;
  /** Reads the whole raw event; undefined if it is no longer kept. */
  read(key: VersionKey, deadline: Deadline): Promise<RawEvent | undefined>;
  /** Drops partitions older than the retention time (open-points 13.3). @returns the names of the dropped partitions */
  dropOld(deadline: Deadline): Promise<readonly string[]>;
}

/** Number of months for which an event is kept after the month of its arrival. */
const keptMonths = 6;

/** Keeps raw events in partitions of PostgreSQL, by month of arrival. */
export function createRawEvents(database: Database): RawEvents {
  const readPart = (
    keys: readonly (VersionKey & { readonly place: number })[], deadline: Deadline,
  ): Promise<(RawHead & { place: number })[]> => database.query(sql<RawHead & { place: number }>`
    select given.place, ${shownText(sql`head."apiVersion"`)} as "apiVersion", ${shownText(sql`head.kind`)} as "kind",
           (${headOf(sql`head.metadata`)}) as "metadata"
      from jsonb_to_recordset(${sql.json(keys)}::jsonb) as given (
        place integer, "objectId" bigint, version integer, "receivedAt" timestamptz
      )
      join raw_event raw on raw.object_id = given."objectId" and raw.version = given.version
       and raw.received_at >= given."receivedAt"
     -- Unpacks the object once. Each JSON operator would unpack the whole object again.
     cross join lateral jsonb_to_record(raw.resource) as head ("apiVersion" text, kind text, metadata jsonb)`,
  { deadline });
  // Months whose partitions exist. Past months are not added, because their partitions may be dropped.
  const there = new Set<string>();
  return {
    prepare: async (arrivals, deadline) => {
      const now = monthStarting(new Date());
      for (const month of new Set(arrivals.map(monthStarting)).difference(there)) {
        // Lock, because several replicas may want to create the same partition at the same time.
        await database.transact(async (transaction) => {
          await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('make_raw_partition', 0))`);
          await transaction.execute(sql`select make_raw_partition(${month}::date)`);
        }, { lockTimeout: 4_000, deadline });
        if (month >= now) there.add(month);
      }
    },

    add: async (transaction, events) => {
      await transaction.execute(sql`
        insert into raw_event (object_id, version, received_at, resource_id, resource)
        select * from jsonb_to_recordset(${sql.json(events)}::jsonb) as given (
          "objectId" bigint, version integer, "receivedAt" timestamptz, "resourceId" jsonb, resource jsonb
        )`);
    },

    readHeads: async (keys, deadline) => {
      const given = keys.map(({ objectId, version, receivedAt }, place) => ({ place, objectId, version, receivedAt }));
      const heads = new Map<number, RawHead>();
      for (let start = 0; start < given.length; start += mostRows) {
        for (const { place, ...head } of await readPart(given.slice(start, start + mostRows), deadline)) {
          heads.set(place, head);
        }
      }
      return keys.map((_, place) => heads.get(place));
    },

    read: ({ objectId, version, receivedAt }, deadline) => database.maybeOne(sql<RawEvent>`
      select resource_id as "resourceId", resource from raw_event
       where object_id = ${objectId} and version = ${version} and received_at >= ${receivedAt}`, { deadline }),

    dropOld: async (deadline) => {
      const old = await database.query(sql<{ name: string }>`
        select relname as "name" from pg_inherits join pg_class on pg_class.oid = inhrelid
         where inhparent = 'raw_event'::regclass
           and relname < 'raw_event_' || to_char(
             date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${keptMonths}), 'YYYY_MM')`,
      { deadline });
      for (const { name } of old) {
        await database.transact(async (transaction) => {
          await transaction.execute(sql`drop table ${sql.identifier(name)}`);
          await transaction.execute(sql`
            delete from kept_events
             where kind = 'raw' and month = to_date(right(${name}, 7), 'YYYY_MM')`);
        }, { deadline });
      }
      return old.map(({ name }) => name);
    },
  };
}

function shownText(text: Fragment): Fragment {
  return sql`case when octet_length(${text}) <= ${mostShownBytes} then ${text} else '' end`;
}

/** Returns SQL for {@link RawHead.metadata}. The SQL accepts any JSON, because an agent may send any `metadata`. */
function headOf(metadata: Fragment): Fragment {
  const isShort = (value: Fragment): Fragment => sql`
    jsonb_typeof(${value}) not in ('object', 'array') and octet_length(${value}::text) <= ${mostShownBytes}`;
  // `jsonb_each` returns entries with shorter names first. So the limit leaves out the entries with the longest names.
  const entries = sql`
    select coalesce(jsonb_object_agg(name, value), '{}')
      from (
        select name, value, sum(octet_length(name) + octet_length(value::text)) over (rows unbounded preceding) as bytes
          from jsonb_each(field.value) as entry (name, value)
         where octet_length(name) <= ${mostShownBytes} and ${isShort(sql`value`)}
      ) entry
     where bytes <= ${mostMapBytes}`;
  return sql`
    select coalesce(jsonb_object_agg(name, shown) filter (where shown is not null), '{}')
      from (
        select name, case
                 when jsonb_typeof(value) = 'object' and name = any(${shownMaps}::text[])
                   then case when pg_column_size(value) <= ${mostReadBytes} then (${entries}) end
                 when ${isShort(sql`value`)} then value
               end as shown
          from (select name, ${metadata} -> name as value from unnest(${shownMetadata}::text[]) as shown (name)) field
      ) field`;
}

function monthStarting(day: Date): string {
  return `${day.toISOString().slice(0, 7)}-01`;
}
