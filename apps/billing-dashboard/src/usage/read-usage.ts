import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { add, type Figures, nothing } from './figures.ts';
import { areOfCluster } from './read-objects.ts';
import type { ObjectLine, ObjectLines, OwnedCluster } from './read-object-lines.ts';

/** Use by billing class. `total` is the sum over all classes, including `none`. */
export type Use = Readonly<Record<'total' | 'prod' | 'nonProd' | 'free', Figures>>;

/** Which usage to read. */
export interface UsageScope {
  readonly product: string;
  /** First day of the month, such as `2026-01-01`. */
  readonly month: string;
  /** If undefined, the usage of all owners is read. */
  readonly ownerId: number | undefined;
  /** If undefined, the usage in all clusters is read. */
  readonly clusterUid?: string | undefined;
  /** Only use before this time is counted. The time is in microseconds since 1970. */
  readonly until: number;
  /** SQL condition on `metered_object` under the alias `object`. If undefined, the usage of all objects is read. */
  readonly objects: Fragment | undefined;
  /** SQL condition on the columns `contract_id` and `class`: whether use is shown. */
  readonly shown: Fragment;
}

/**
 * A column by which use is grouped. `value` is an SQL expression. It may refer to the aliases `object` (a row of
 * `metered_object`) and `segment` (use of this object).
 */
export interface Column {
  readonly value: Fragment;
  readonly type: Fragment;
  /** Whether the value comes from `object`. */
  readonly ofObject: boolean;
}

export type Columns = Readonly<Record<string, Column>>;

export type UsagePlace = Pick<UsageScope, 'product' | 'month' | 'ownerId' | 'clusterUid'>;

export type UsageUntil = UsagePlace & Pick<UsageScope, 'until'>;

/** Returns an SQL condition for rows of `usage_month`. An undefined owner or cluster does not restrict the rows. */
function ofMonth({ product, month, ownerId, clusterUid }: UsagePlace): Fragment {
  const place = clusterUid === undefined ? ofOwner(ownerId) : areOfCluster(ownerId, clusterUid);
  return sql`product = ${product} and month = ${month}::date and ${place}`;
}

export function selectSegments({ product, month, ownerId, clusterUid, until }: UsageUntil): Fragment {
  const inMonth = sql`month = ${month}::date and from_us < ${until}::bigint`;
  if (clusterUid === undefined) {
    return sql`select * from usage_segment where product = ${product} and ${inMonth} and ${ofOwner(ownerId)}`;
  }
  // Read the segments of one object after the other; `offset 0` enforces this. Without statistics on the month, a join
  // might read the cluster's objects again for each segment.
  return sql`
    select segment.*
      from (select id from metered_object where ${areOfCluster(ownerId, clusterUid)} and product = ${product}) object
     cross join lateral (
       select * from usage_segment
        where metered_id = object.id and from_us >= month_start_us(${month}::date) and ${inMonth} offset 0
     ) segment`;
}

function ofOwner(ownerId: number | undefined): Fragment {
  return ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
}

/**
 * Selects the use of objects up to `until` (microseconds since 1970), by month, contract and class. Takes the sums from
 * `usage_month`. If `latest_us` of a row is at or after `until`, sums up the object's segments that begin before
 * `until` instead. Subtracts use after `until` from all sums.
 * @param which SQL condition for rows of `usage_month`
 * @param someBeginLater may be false only if `latest_us` is before `until` in all rows that `which` selects
 */
export function usedUntil(which: Fragment, until: number, someBeginLater = true): Fragment {
  const rows = sql`select * from usage_month where ${which}`;
  const all = someBeginLater
    ? sql`
        ${rows} and latest_us < ${until}::bigint
        union all
        select summed.*
          from (select distinct metered_id, month from usage_month where ${which} and latest_us >= ${until}::bigint) late
         cross join lateral sum_up_usage(late.metered_id, late.month, ${until}::bigint) summed`
    : rows;
  return sql`
    select metered_id, owner_id, product, contract_id, class, latest_us, mode, mode_us, peak_cpu, peak_memory,
           changes, last_cpu, last_memory, last_to_us,
           case when last_to_us > ${until}::bigint then cpu - last_cpu * (last_to_us - ${until}::bigint) else cpu end
             as cpu,
           case when last_to_us > ${until}::bigint then memory - last_memory * (last_to_us - ${until}::bigint)
                else memory end as memory
      from (${all}) used`;
}

/**
 * Whether {@link usedUntil} must sum up segments of some objects. If not, PostgreSQL can read a large month in parallel
 * with the SQL of {@link usedUntil}.
 */
async function someBeginLater(snapshot: Queryable, scope: UsageUntil, deadline: Deadline): Promise<boolean> {
  const { some } = await snapshot.one(sql<{ some: boolean }>`
    select exists (
      select from usage_month where ${ofMonth(scope)} and latest_us >= ${scope.until}::bigint
    ) as "some"`, { deadline });
  return some;
}

/** Returns the SQL of {@link usedUntil} for the cluster of the SQL row `given` ({@link ObjectLines}). */
export async function usedInCluster(snapshot: Queryable, scope: UsageUntil, deadline: Deadline): Promise<Fragment> {
  const { product, month, until } = scope;
  return usedUntil(sql`
    product = ${product} and month = ${month}::date
      and (owner_id, cluster_uid) = (given.owner_id, given.cluster_uid)`,
  until, await someBeginLater(snapshot, scope, deadline));
}

/**
 * Joins objects by id only. With a condition on the cluster, PostgreSQL might read all objects of the cluster for each
 * row.
 */
export function objectsOf(id: Fragment): Fragment {
  return sql`join metered_object object on object.id = ${id}`;
}

export function readUsingClusters(snapshot: Queryable, scope: UsagePlace, deadline: Deadline): Promise<OwnedCluster[]> {
  return snapshot.query(sql<OwnedCluster>`
    select distinct owner_id as "ownerId", cluster_uid as "clusterUid" from usage_month where ${ofMonth(scope)}`,
  { deadline });
}

/** Adds the column `is_shown` to the SQL of {@link usedUntil}: whether the condition `shown` holds for the row. */
function markShown(used: Fragment, { shown }: UsageScope): Fragment {
  return sql`(select *, (${shown}) as is_shown from (${used}) used)`;
}

const classes = ['prod', 'nonProd', 'free', 'none'] as const;
type UsageClass = (typeof classes)[number];
type Sums = Readonly<Record<`${'cpu' | 'memory'} ${UsageClass}`, string | null>>;

const sums = sql.join(classes.flatMap((usageClass) => (['cpu', 'memory'] as const).map((resource) => sql`
  sum(segment.${sql.identifier(resource)}) filter (where is_shown and class = ${usageClass})
    as ${sql.identifier(`${resource} ${usageClass}`)}`)));

/**
 * Sums up use, grouped by `columns`. The sums contain only use that `scope.shown` selects. Also returns groups without
 * such use, with `isShown` false, because the aggregates in `also` may cover all use.
 */
export async function readUse<Row>(
  snapshot: Queryable, scope: UsageScope, { columns, also }: { columns: Columns; also?: Fragment }, deadline: Deadline,
): Promise<(Row & { readonly isShown: boolean; readonly use: Use })[]> {
  const used = usedUntil(ofMonth(scope), scope.until, await someBeginLater(snapshot, scope, deadline));
  const named = Object.entries(columns).map(([name, { value }]) => sql`${value} as ${sql.identifier(name)}`);
  const rows = await snapshot.query(sql<Row & Sums & { isShown: boolean }>`
    select ${sql.join(named)}, bool_or(is_shown) as "isShown", ${also === undefined ? sums : sql`${also}, ${sums}`}
      from ${markShown(used, scope)} segment
      join metered_object object on object.id = segment.metered_id and ${scope.objects ?? sql`true`}
     group by ${sql.join(Object.values(columns).map(({ value }) => value))}`, { deadline });
  return rows.map((row) => ({
    ...row,
    use: sumOf(classes.map((usageClass) => useOf(usageClass, {
      cpu: BigInt(row[`cpu ${usageClass}`] ?? 0), memory: BigInt(row[`memory ${usageClass}`] ?? 0),
    }))),
  }));
}

/** A mode as JSON. Known modes skip the search for characters to escape, because the search is slow. */
const modeJson = sql`
  case when segment.mode in ('prod', 'qa', 'staging', 'dev', '') then '"' || segment.mode || '"'
       else json_text(segment.mode) end`;

/**
 * Describes how to read, for each object, the use that `scope.shown` selects. `mode` is JSON: the mode of the object's
 * latest segment in the month.
 */
export async function useOfObjects(
  snapshot: Queryable, scope: UsageScope, deadline: Deadline,
): Promise<ObjectLines<{ readonly line: ObjectLine; readonly mode: string; readonly use: Use }>> {
  return {
    from: sql`
      ${markShown(await usedInCluster(snapshot, scope, deadline), scope)} segment
        ${objectsOf(sql`segment.metered_id`)} and ${scope.objects ?? sql`true`}
       where is_shown`,
    values: [modeJson, sql`class`, sql`segment.cpu`, sql`segment.memory`],
    toItem: (line, values) => {
      const [mode, usageClass, cpu, memory] = values as [string, UsageClass, string, string];
      return { line, mode, use: useOf(usageClass, { cpu: BigInt(cpu), memory: BigInt(memory) }) };
    },
    merge: (one, other) => ({ ...one, use: sumOf([one.use, other.use]) }),
  };
}

function useOf(usageClass: UsageClass, total: Figures): Use {
  const of = (one: UsageClass) => (usageClass === one ? total : nothing);
  return { total, prod: of('prod'), nonProd: of('nonProd'), free: of('free') };
}

export const noUse: Use = { total: nothing, prod: nothing, nonProd: nothing, free: nothing };

export function sumOf(uses: readonly Use[]): Use {
  return uses.reduce((sum, use) => ({
    total: add(sum.total, use.total), prod: add(sum.prod, use.prod),
    nonProd: add(sum.nonProd, use.nonProd), free: add(sum.free, use.free),
  }), noUse);
}
