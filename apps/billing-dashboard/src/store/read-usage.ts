import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Figures } from '../usage/figures.ts';
import { dayUs } from '../usage/month.ts';

/** Use by how it is billed; `total` is all of it. */
export interface Use {
  readonly total: Figures;
  readonly prod: Figures;
  readonly nonProd: Figures;
  readonly free: Figures;
}

/** Which usage: rows of `usage_segment segment` with their `metered_object object`, clipped at a moment. */
export interface UsageScope {
  readonly product: string;
  /** First day of the month. */
  readonly month: string;
  /** Undefined: all owners. */
  readonly ownerId: number | undefined;
  /** Use counts up to here, in microseconds since 1970. */
  readonly until: number;
  /** Which objects, and which of their segments. */
  readonly objects: Fragment;
  readonly segments: Fragment;
}

/** The segments of a scope; their use ends at `end_us`. */
export function segmentsOfScope(scope: UsageScope, columns: Fragment): Fragment {
  return sql`${segmentsOfObjects(scope, columns)} and ${scope.segments}`;
}

/** All segments of the objects of a scope. */
function segmentsOfObjects(
  { product, month, ownerId, until, objects }: UsageScope, columns: Fragment,
): Fragment {
  return sql`
    select segment.*, least(segment.to_us, ${until}::bigint) as end_us, ${columns}
      from usage_segment segment join metered_object object on object.id = segment.metered_id
     where segment.product = ${product} and segment.month = ${month}::date
       and ${ownerId === undefined ? sql`true` : sql`segment.owner_id = ${ownerId}`}
       and segment.from_us < ${until}::bigint and ${objects}`;
}

type Sums = Readonly<Record<`${'cpu' | 'memory'}_${'total' | 'prod' | 'non_prod' | 'free'}`, string>>;

const spent = { cpu: sql`cpu * (end_us - from_us)`, memory: sql`memory * (end_us - from_us)` };

/** Columns with the sums that {@link readUse} reads. */
const sums = sql.join((['cpu', 'memory'] as const).flatMap((resource) => [
  sql`coalesce(sum(${spent[resource]}) filter (where is_shown), 0) as ${sql.identifier(`${resource}_total`)}`,
  ...([['prod', 'prod'], ['non_prod', 'nonProd'], ['free', 'free']] as const).map(([name, usageClass]) => sql`
    coalesce(sum(${spent[resource]}) filter (where is_shown and class = ${usageClass}), 0)
      as ${sql.identifier(`${resource}_${name}`)}`),
]));

/**
 * Sums up use, for each combination of `keys`. Aggregates read all use of the objects; `is_shown` marks the use that is
 * shown.
 * @param columns of the objects, by which `keys` are spelled
 * @param key text made of `keys`
 * @param also further aggregates
 */
export async function readUse<Row>(
  queryable: Queryable, scope: UsageScope,
  { columns, keys, key, also }: Readonly<Record<'columns' | 'keys' | 'key' | 'also', Fragment>>, deadline: Deadline,
): Promise<(Row & { readonly use: Use; readonly rowKey: string })[]> {
  const rows = await queryable.query(sql<Row & Sums & { rowKey: string }>`
    select ${keys}, ${key} as "rowKey", ${also}, ${sums}
      from (${segmentsOfObjects(scope, sql`(${scope.segments}) as is_shown, ${columns}`)}) used
     group by ${keys} having bool_or(is_shown)`, { deadline });
  return rows.map((row) => ({
    ...row,
    use: {
      total: { cpu: BigInt(row.cpu_total), memory: BigInt(row.memory_total) },
      prod: { cpu: BigInt(row.cpu_prod), memory: BigInt(row.memory_prod) },
      nonProd: { cpu: BigInt(row.cpu_non_prod), memory: BigInt(row.memory_non_prod) },
      free: { cpu: BigInt(row.cpu_free), memory: BigInt(row.memory_free) },
    },
  }));
}

/** Use of one key on one day. */
export interface DayUse {
  /** Empty for all keys that are not among those asked for. */
  readonly key: string;
  /** `2026-11-22` */
  readonly date: string;
  readonly use: Figures;
}

/**
 * Sums up use for each day. A segment changes the level of use twice, where it begins and where it ends, however many
 * days it lasts: so two rows of each are summed up by day, and the days follow from the levels.
 * @param key text of each segment
 * @param shown the keys that are shown by themselves
 */
export async function readDays(
  queryable: Queryable, scope: UsageScope,
  { columns, key, shown }: { columns: Fragment; key: Fragment; shown: readonly string[] }, deadline: Deadline,
): Promise<DayUse[]> {
  const rows = await queryable.query(sql<{ key: string; day: number } & Readonly<Record<Step, string>>>`
    select case when key = any (${shown}::text[]) then key else '' end as "key", at / ${dayUs}::bigint as "day",
           sum(sign * cpu) as "cpuStep", sum(sign * memory) as "memoryStep",
           sum(sign * cpu * left_us) as "cpuRest", sum(sign * memory * left_us) as "memoryRest"
      from (select *, ${key} as key from (${segmentsOfScope(scope, columns)}) used) used
     cross join lateral (values (from_us, 1), (end_us, -1)) edge (at, sign)
     cross join lateral (values ((at / ${dayUs}::bigint + 1) * ${dayUs}::bigint - at)) rest (left_us)
     group by 1, 2 order by 1, 2`, { deadline });
  const byKey = Map.groupBy(rows, (row) => row.key);
  return [...byKey].flatMap(([own, steps]) => daysOf(own, steps));
}

type Step = 'cpuStep' | 'memoryStep' | 'cpuRest' | 'memoryRest';

function daysOf(key: string, steps: readonly ({ day: number } & Readonly<Record<Step, string>>)[]): DayUse[] {
  const byDay = new Map(steps.map((step) => [step.day, step]));
  const days: DayUse[] = [];
  let level: Figures = { cpu: 0n, memory: 0n };
  for (let day = steps[0]!.day; day <= steps.at(-1)!.day; day += 1) {
    const step = byDay.get(day);
    const use = {
      cpu: level.cpu * BigInt(dayUs) + BigInt(step?.cpuRest ?? 0),
      memory: level.memory * BigInt(dayUs) + BigInt(step?.memoryRest ?? 0),
    };
    level = { cpu: level.cpu + BigInt(step?.cpuStep ?? 0), memory: level.memory + BigInt(step?.memoryStep ?? 0) };
    if (use.cpu > 0n || use.memory > 0n) {
      days.push({ key, date: new Date(day * (dayUs / 1000)).toISOString().slice(0, 10), use });
    }
  }
  return days;
}
