import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Figures } from '../usage/figures.ts';
import { micros } from './micros.ts';
import { segmentsOfScope, type UsageScope } from './read-usage.ts';

/** How the amounts of an object changed in a month. Times are microseconds since 1970. */
export interface ObjectSummary {
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly objectUid: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly changes: number;
  readonly peak: Figures;
  /** Amounts times microseconds. */
  readonly use: Figures;
  readonly current: Figures;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

type Row = Omit<ObjectSummary, 'peak' | 'use' | 'current'>
  & Readonly<Record<`${'peak' | 'use' | 'current'}${'Cpu' | 'Memory'}`, string>>;

/** Reads the summaries of all objects of a scope. A change is a segment with other amounts than the one before it. */
export async function readSummaries(
  queryable: Queryable, scope: UsageScope, deadline: Deadline,
): Promise<ObjectSummary[]> {
  const before = sql`
    select (old.cpu, old.memory) is distinct from (used.cpu, used.memory) from usage_segment old
     where old.metered_id = used.metered_id and old.from_us < used.from_us order by old.from_us desc limit 1`;
  const rows = await queryable.query(sql<Row>`
    with used as (
      select *, coalesce(
               (lag(cpu) over object, lag(memory) over object) is distinct from (cpu, memory)
                 and lag(metered_id) over object is not null or lag(metered_id) over object is null and (${before}),
               false
             ) as is_change
        from (${segmentsOfScope(scope, sql`object.id`)}) used
      window object as (partition by metered_id order by from_us)
    ), month as (
      select metered_id, count(*) filter (where is_change)::integer as changes,
             max(cpu) as peak_cpu, max(memory) as peak_memory,
             sum(cpu * (end_us - from_us)) as use_cpu, sum(memory * (end_us - from_us)) as use_memory
        from used group by metered_id
    )
    select object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.object_uid as "objectUid",
           object.api_group as "group", object.kind, object.name, object.namespace, month.changes,
           month.peak_cpu as "peakCpu", month.peak_memory as "peakMemory",
           month.use_cpu as "useCpu", month.use_memory as "useMemory",
           coalesce(present.cpu, 0) as "currentCpu", coalesce(present.memory, 0) as "currentMemory",
           ${micros(sql`object.first_at`)} as "firstSeen", ${micros(sql`object.last_seen_at`)} as "lastSeen"
      from month join metered_object object on object.id = month.metered_id
      left join lateral (
        select cpu, memory, to_us from usage_segment
         where metered_id = object.id and from_us <= ${scope.until}::bigint order by from_us desc limit 1
      ) present on present.to_us > ${scope.until}::bigint`, { deadline });
  return rows.map(({ peakCpu, peakMemory, useCpu, useMemory, currentCpu, currentMemory, ...row }) => ({
    ...row,
    peak: { cpu: BigInt(peakCpu), memory: BigInt(peakMemory) },
    use: { cpu: BigInt(useCpu), memory: BigInt(useMemory) },
    current: { cpu: BigInt(currentCpu), memory: BigInt(currentMemory) },
  }));
}
