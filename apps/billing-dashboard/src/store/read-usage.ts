import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { add, type Figures, nothing } from '../usage/figures.ts';
import { areOfCluster } from './read-objects.ts';
import { type ObjectLine, type ObjectsOfCluster, readObjectLines } from './read-object-lines.ts';

/** Use by how it is billed; `total` is all of it. */
export interface Use {
  readonly total: Figures;
  readonly prod: Figures;
  readonly nonProd: Figures;
  readonly free: Figures;
}

/** Which usage: that of `metered_object object` in a month, up to a moment. */
export interface UsageScope {
  readonly product: string;
  /** First day of the month. */
  readonly month: string;
  /** Undefined: all owners. */
  readonly ownerId: number | undefined;
  /** Absent: all clusters. */
  readonly clusterUid?: string | undefined;
  /** Use counts up to here, in microseconds since 1970. */
  readonly until: number;
  /** Which objects; undefined: all. */
  readonly objects: Fragment | undefined;
  /** Which of their use, by `contract_id` and `class`. */
  readonly shown: Fragment;
}

/** What use is put together by: SQL over `metered_object object` and its use `segment`, and the type of the result. */
export interface Column {
  readonly value: Fragment;
  readonly type: Fragment;
  /** Whether the value is one of `object`. */
  readonly ofObject: boolean;
}

/** By the names they have in rows. */
export type Columns = Readonly<Record<string, Column>>;

/** Whose use, and when. */
export type UsagePlace = Pick<UsageScope, 'product' | 'month' | 'ownerId' | 'clusterUid'>;

/** Condition for rows of `usage_segment` or `usage_month`. */
export function ofScope({ product, month, ownerId, clusterUid }: UsagePlace): Fragment {
  const owner = ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
  // Objects are looked up first: a cluster is a small part of an owner.
  const cluster = clusterUid === undefined ? sql`true` : sql`
    metered_id = any (array(
      select id from metered_object where ${areOfCluster(ownerId, clusterUid)} and product = ${product}
    ))`;
  return sql`product = ${product} and month = ${month}::date and ${owner} and ${cluster}`;
}

/**
 * The use of objects in a month up to a moment, by contract and class: rows of `usage_month`, cut at the moment. Events
 * may be some minutes early, so a segment may begin behind the moment: then the segments before it are summed up.
 * @param which condition for rows of `usage_month`, by month, owner and product
 * @param until microseconds since 1970
 * @param someBeginLater false where no segment begins behind the moment
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
           changes, case when last_to_us > ${until}::bigint then cpu - last_cpu * (last_to_us - ${until}::bigint) else cpu end
             as cpu,
           case when last_to_us > ${until}::bigint then memory - last_memory * (last_to_us - ${until}::bigint)
                else memory end as memory
      from (${all}) used`;
}

/**
 * {@link usedUntil} for a view. It is asked first whether a segment begins behind the moment, in the same snapshot:
 * PostgreSQL reads a large month with several processes only where it need not sum up segments.
 */
export async function usedIn(
  snapshot: Queryable, scope: UsagePlace & Pick<UsageScope, 'until'>, deadline: Deadline,
): Promise<Fragment> {
  const which = ofScope(scope);
  const [later] = await snapshot.query(sql<{ some: boolean }>`
    select exists (select from usage_month where ${which} and latest_us >= ${scope.until}::bigint) as "some"`, { deadline });
  return usedUntil(which, scope.until, later!.some);
}

/** Rows of {@link usedUntil} as `segment`, with their `object`; `is_shown` marks the use that is shown. */
async function usedByObjects(snapshot: Queryable, scope: UsageScope, deadline: Deadline): Promise<Fragment> {
  return sql`
    (select *, (${scope.shown}) as is_shown from (${await usedIn(snapshot, scope, deadline)}) used) segment
      join metered_object object on object.id = segment.metered_id and ${scope.objects ?? sql`true`}`;
}

const classes = ['prod', 'nonProd', 'free', 'none'] as const;
type UsageClass = (typeof classes)[number];
type Sums = Readonly<Record<`${'cpu' | 'memory'} ${UsageClass}`, string | null>>;

const sums = sql.join(classes.flatMap((usageClass) => (['cpu', 'memory'] as const).map((resource) => sql`
  sum(segment.${sql.identifier(resource)}) filter (where is_shown and class = ${usageClass})
    as ${sql.identifier(`${resource} ${usageClass}`)}`)));

/**
 * Sums up use, for each combination of columns; also for those without use that is shown, because aggregates read all
 * use of the objects.
 * @param also further aggregates
 */
export async function readUse<Row>(
  snapshot: Queryable, scope: UsageScope, { columns, also }: { columns: Columns; also?: Fragment }, deadline: Deadline,
): Promise<(Row & { readonly isShown: boolean; readonly use: Use })[]> {
  const used = await usedByObjects(snapshot, scope, deadline);
  const rows = await snapshot.query(sql<Row & Sums & { isShown: boolean }>`
    select ${named(columns)}, bool_or(is_shown) as "isShown", ${also === undefined ? sums : sql`${also}, ${sums}`}
      from ${used} group by ${sql.join(Object.values(columns).map(({ value }) => value))}`, { deadline });
  return rows.map((row) => ({
    ...row,
    use: sumOf(classes.map((usageClass) => useOf(usageClass, {
      cpu: BigInt(row[`cpu ${usageClass}`] ?? 0), memory: BigInt(row[`memory ${usageClass}`] ?? 0),
    }))),
  }));
}

/** The use of an object. */
export interface UseOfObject extends ObjectLine {
  /** JSON: its mode at the end of the month. */
  readonly mode: string;
  readonly use: Use;
}

/** A mode as JSON. To look for what must be escaped takes a tenth of a line's time, so known ones are not. */
const modeJson = sql`
  case when segment.mode in ('prod', 'qa', 'staging', 'dev', '') then '"' || segment.mode || '"'
       else json_text(segment.mode) end`;

/** Reads the use of each object by itself. */
export async function readUseOfObjects(
  snapshot: Queryable, scope: UsageScope, deadline: Deadline,
): Promise<ObjectsOfCluster<UseOfObject>[]> {
  return readObjectLines(snapshot, {
    from: sql`${await usedByObjects(snapshot, scope, deadline)} where is_shown`,
    values: [modeJson, sql`class`, sql`segment.cpu`, sql`segment.memory`],
    toItem: (line) => {
      const [mode, usageClass, cpu, memory] = line.values as [string, UsageClass, string, string];
      return { ...line, mode, use: useOf(usageClass, { cpu: BigInt(cpu), memory: BigInt(memory) }) };
    },
    merge: (item, other) => {
      item.use = sumOf([item.use, other.use]);
    },
  }, deadline);
}

function useOf(usageClass: UsageClass, total: Figures): Use {
  return {
    total,
    prod: usageClass === 'prod' ? total : nothing,
    nonProd: usageClass === 'nonProd' ? total : nothing,
    free: usageClass === 'free' ? total : nothing,
  };
}

export function sumOf(uses: readonly Use[]): Use {
  let [total, prod, nonProd, free] = [nothing, nothing, nothing, nothing];
  for (const use of uses) {
    total = add(total, use.total);
    prod = add(prod, use.prod);
    nonProd = add(nonProd, use.nonProd);
    free = add(free, use.free);
  }
  return { total, prod, nonProd, free };
}

function named(columns: Columns): Fragment {
  return sql.join(Object.entries(columns).map(([name, { value }]) => sql`${value} as ${sql.identifier(name)}`));
}
