import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Detail } from '../payload/metered.ts';
import type { LateStatement } from './late-changes.ts';
import type { Version } from './version.ts';
import type { Window } from './terms.ts';
import { micros, timestamp, windows } from './micros.ts';

export interface StoredVersion extends Version {
  readonly meteredId: number;
  /** Billionths of a byte. */
  readonly storage: bigint;
  readonly replicas: number;
}

/**
 * A version with its details, which may be large. The last version of an object has all details. An earlier version may
 * have only the volumes.
 */
export interface DetailedVersion extends Pick<Version, 'at' | 'type'> {
  readonly meteredId: number;
  readonly detail: Pick<Detail, 'volumes'> & Partial<Detail>;
}

/** An object and a period. Times are microseconds since 1970. */
export interface VersionsOf {
  readonly id: number;
  /** The time of the first version to read; null for no limit. */
  readonly from: number | null;
  /** The time of the last version to read; null or absent for no limit. */
  readonly to?: number | null;
}

/**
 * Reads the late statements (open-points 13.5) about each object, in order of time, with times at or after `from`.
 * `from` must be null or the time of a version. Earlier statements are not needed, because a statement counts at most
 * until the next version. `to` has no effect. The number of statements about an object is limited
 * (enter-late-changes.ts).
 */
export async function readLateStatements(
  queryable: Queryable, objects: readonly VersionsOf[],
): Promise<Map<number, (LateStatement & { readonly meteredId: number })[]>> {
  const rows = await queryable.query(
    sql<LateStatement & { meteredId: number; cpu: string; memory: string }>`
      select late.metered_id as "meteredId", ${micros(sql`late.at`)} as "at", ${micros(sql`late.until`)} as "until",
             late.cpu, late.memory, late.mode, late.resource_trial as "resourceTrial"
        from jsonb_to_recordset(${sql.json(objects)}::jsonb) as given (id bigint, "from" bigint)
       cross join lateral (
         select * from late_statement
          where metered_id = given.id and at >= coalesce(${timestamp(sql`given."from"`)}, timestamptz '-infinity')
       ) late
       order by late.metered_id, late.at, late.generation, late.identity`);
  return Map.groupBy(
    rows.map((row) => ({ ...row, cpu: BigInt(row.cpu), memory: BigInt(row.memory) })), ({ meteredId }) => meteredId,
  );
}

/** SQL order of an object's versions with the same time. Only the first version counts (open-points 13.2). */
export const lastOfMoment = sql`
  version.generation desc, (version.type = 'deleted') desc, version.identity desc`;

/**
 * Returns SQL that selects versions of one object, by ascending time. Of the versions with the same time, it selects
 * only the first in the order of {@link lastOfMoment}.
 */
function countingVersions(columns: Fragment, condition: Fragment, most: number | null): Fragment {
  return sql`
    select distinct on (version.at) version.metered_id as "meteredId", version.type, version.at, ${columns}
      from object_version version where ${condition}
     order by version.at, ${lastOfMoment} limit ${most}::bigint`;
}

/** Reads versions of each object, ascending, without details: at most `most`, or without a limit if `most` is null. */
export async function readVersions(
  queryable: Queryable, objects: readonly VersionsOf[], most: number | null, options: QueryOptions = {},
): Promise<Map<number, StoredVersion[]>> {
  const versions = countingVersions(
    sql`version.seen, version.cpu, version.memory, version.storage, version.replicas, version.mode,
        version.resource_trial as "resourceTrial"`,
    sql`version.metered_id = given.id
        and version.at >= coalesce(${timestamp(sql`given."from"`)}, timestamptz '-infinity')
        and version.at <= coalesce(${timestamp(sql`given."to"`)}, timestamptz 'infinity')`,
    most,
  );
  const rows = await queryable.query(sql<StoredVersion & { cpu: string; memory: string; storage: string }>`
    select version."meteredId", version.type, ${micros(sql`version.at`)} as "at",
           ${windows(sql`version.seen`)} as "seen", version.cpu, version.memory, version.storage, version.replicas,
           version.mode, version."resourceTrial"
      from jsonb_to_recordset(${sql.json(objects)}::jsonb) as given (id bigint, "from" bigint, "to" bigint)
     cross join lateral (${versions}) version
     order by given.id, version.at`, options);
  return Map.groupBy(rows.map((row) => ({
    ...row, cpu: BigInt(row.cpu), memory: BigInt(row.memory), storage: BigInt(row.storage),
  })), ({ meteredId }) => meteredId);
}

/**
 * Finds the period whose versions give the history of an object in a window. The period contains the versions in the
 * window, up to two versions before the window, and up to one version after the window. The last version before the
 * window may be in force when the window begins. The second to last version before the window is needed, because the
 * history shows a version as `created` if it follows a deletion.
 */
export async function findVersionsOf(
  queryable: Queryable, id: number, { from, to }: Window, options: QueryOptions,
): Promise<VersionsOf> {
  const ofObject = sql`object_version where metered_id = ${id}`;
  return queryable.one(sql<VersionsOf>`
    select ${id}::bigint as "id", ${micros(sql`coalesce(earlier.at, last.at)`)} as "from",
           ${micros(sql`next.at`)} as "to"
      from (select max(at) as at from ${ofObject} and at < ${timestamp(sql`${from}::bigint`)}) last
     cross join lateral (select max(at) as at from ${ofObject} and at < last.at) earlier
     cross join (select min(at) as at from ${ofObject} and at >= ${timestamp(sql`${to}::bigint`)}) next`, options);
}

const mostRows = 2_000;
/** Size of details, in bytes, after which a statement returns no further version. */
const mostBytes = 1024 * 1024;

/**
 * Reads the versions of objects, including details, in parts of limited size. The objects are in the given order, and
 * their versions are ascending. PostgreSQL returns each part as one JSON value, because the PostgreSQL client reads
 * many rows slowly.
 */
export async function* readDetailedVersions(
  queryable: Queryable, ids: readonly number[], options: QueryOptions,
): AsyncGenerator<readonly DetailedVersion[], void, undefined> {
  const versions = countingVersions(
    sql`version.detail`, sql`version.metered_id = given.id and version.at > given.after`, mostRows,
  );
  let left = ids;
  for (let afterUs: number | null = null; left.length > 0;) {
    const [first] = left;
    const after: Fragment = afterUs === null ? sql`null::timestamptz` : timestamp(sql`${afterUs}::bigint`);
    const { text } = await queryable.one(sql<{ text: string }>`
      select coalesce('[' || string_agg(
               '{"meteredId":' || "meteredId" || ',"type":"' || type || '","at":' || ${micros(sql`at`)}
                 || ',"detail":' || detail || '}', ',' order by place, at
             ) || ']', '[]') as "text"
        from (
          select version.*, sum(octet_length(detail)) over earlier as bytes_before
            from (
              select "meteredId", type, at, place,
                     case when is_last then detail else jsonb_build_object('volumes', detail -> 'volumes') end::text
                       as detail
                from (
                  select id, place,
                         coalesce(case when id = ${first} then ${after} end, timestamptz '-infinity') as after
                    from unnest(${left}::bigint[]) with ordinality as given (id, place) order by place
                ) given
               cross join lateral (
                 select counting.*, lead(at) over (order by at) is null as is_last from (${versions}) counting
               ) version
               order by place, at limit ${mostRows}
            ) version
          window earlier as (order by place, at rows between unbounded preceding and 1 preceding)
        ) version
       where bytes_before is null or bytes_before < ${mostBytes}`, options);
    const rows = JSON.parse(text) as DetailedVersion[];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    left = left.slice(left.indexOf(last.meteredId));
    afterUs = last.at;
  }
}
