import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { add, type Figures, nothing } from './figures.ts';
import { dayUs } from './month.ts';
import { type Columns, selectSegments, type UsageScope } from './read-usage.ts';

const wholeDay = BigInt(dayUs);

export interface DayUse {
  /** Index of the row in `shown` ({@link readDays}); -1 for all other rows together. */
  readonly place: number;
  /** `2026-11-22` */
  readonly date: string;
  /** `prod`, `nonProd`, `free` or `none`; empty unless `readDays` is called with `byClass`. */
  readonly class: string;
  readonly use: Figures;
}

/** The sums over all segments with the same `place`, `class`, `first` and `last`. */
interface Span {
  readonly place: number;
  readonly class: string;
  /** The day on which the segments start, in days since 1970. */
  readonly first: number;
  /** The day on which the segments end, in days since 1970. */
  readonly last: number;
  readonly cpu: string;
  readonly memory: string;
  /** Sum of amount × microseconds from the start of day `first` to the start of the segment. */
  readonly cpuBefore: string;
  readonly memoryBefore: string;
  /** Sum of amount × microseconds from the start of day `last` to the end of the segment. */
  readonly cpuUntil: string;
  readonly memoryUntil: string;
}

/**
 * Returns the use of each day: separately for each row in `shown`, and summed up for all other rows. Leaves out days
 * without use. PostgreSQL sums up segments by first and last day. This process computes the use of each day from these
 * sums.
 * @param columns identify a row; each row in `shown` contains values of these columns
 */
export async function readDays(
  queryable: Queryable, scope: UsageScope,
  { columns, shown, byClass = false }: { columns: Columns; shown: readonly object[]; byClass?: boolean },
  deadline: Deadline,
): Promise<DayUse[]> {
  const { until, objects } = scope;
  const names = Object.keys(columns) as (keyof (typeof shown)[number])[];
  const places = shown.map((row, place) => ({ place, ...Object.fromEntries(names.map((name) => [name, row[name]])) }));
  const fields = Object.entries(columns).map(([name, { type }]) => sql`${sql.identifier(name)} ${type}`);
  const needsObjects = objects !== undefined || Object.values(columns).some(({ ofObject }) => ofObject);
  const joined = needsObjects
    ? sql`join metered_object object on object.id = segment.metered_id and ${objects ?? sql`true`}`
    : sql``;
  const isNamed = Object.entries(columns).map(([name, { value }]) => sql`shown.${sql.identifier(name)} = ${value}`);
  const spans = await queryable.query(sql<Span>`
    select coalesce(shown.place, -1) as "place", ${byClass ? sql`segment.class` : sql`''`} as "class",
           from_us / ${dayUs}::bigint as "first", end_us / ${dayUs}::bigint as "last",
           sum(cpu) as "cpu", sum(memory) as "memory",
           sum(cpu * (from_us % ${dayUs}::bigint)) as "cpuBefore",
           sum(memory * (from_us % ${dayUs}::bigint)) as "memoryBefore",
           sum(cpu * (end_us % ${dayUs}::bigint)) as "cpuUntil",
           sum(memory * (end_us % ${dayUs}::bigint)) as "memoryUntil"
      from (
        select *, least(to_us, ${until}::bigint) as end_us from (${selectSegments(scope)}) segment where ${scope.shown}
      ) segment
      ${joined}
      left join jsonb_to_recordset(${sql.json(places)}::jsonb) as shown (place integer, ${sql.join(fields)})
        on ${sql.join(isNamed, sql` and `)}
     group by 1, 2, 3, 4`, { deadline });
  return [...Map.groupBy(spans, (span) => `${span.place} ${span.class}`).values()].flatMap(daysOf);
}

/** Returns the days with use, ascending. All spans must have the same `place` and `class`. */
function daysOf(spans: readonly Span[]): DayUse[] {
  const [{ place, class: ofClass }] = spans as readonly [Span];
  // `step` is the change of the amounts on a day. It counts in full from the next day on. `rest` is the use that the
  // change adds on the day itself.
  const changes = new Map<number, { step: Figures; rest: Figures }>();
  const change = (day: number, step: Figures, passed: Figures): void => {
    const known = changes.get(day) ?? { step: nothing, rest: nothing };
    const rest = { cpu: step.cpu * wholeDay - passed.cpu, memory: step.memory * wholeDay - passed.memory };
    changes.set(day, { step: add(known.step, step), rest: add(known.rest, rest) });
  };
  for (const span of spans) {
    const [cpu, memory] = [BigInt(span.cpu), BigInt(span.memory)];
    change(span.first, { cpu, memory }, { cpu: BigInt(span.cpuBefore), memory: BigInt(span.memoryBefore) });
    const until = { cpu: -BigInt(span.cpuUntil), memory: -BigInt(span.memoryUntil) };
    change(span.last, { cpu: -cpu, memory: -memory }, until);
  }
  const days: DayUse[] = [];
  let level = nothing;
  for (let day = Math.min(...changes.keys()); day <= Math.max(...changes.keys()); day += 1) {
    const { step, rest } = changes.get(day) ?? { step: nothing, rest: nothing };
    const use = add({ cpu: level.cpu * wholeDay, memory: level.memory * wholeDay }, rest);
    level = add(level, step);
    if (use.cpu !== 0n || use.memory !== 0n) days.push({ place, class: ofClass, date: dateOf(day), use });
  }
  return days;
}

function dateOf(day: number): string {
  return new Date(day * (dayUs / 1000)).toISOString().slice(0, 10);
}
