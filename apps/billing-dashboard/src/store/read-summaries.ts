import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Figures } from '../usage/figures.ts';
import { monthOf } from '../usage/segments.ts';
import { micros } from './micros.ts';
import { ofScope, type UsageScope, usedUntil } from './read-usage.ts';

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

/** Reads the summaries of all objects of an owner, or of all owners; `current` is what they use at the moment. */
export async function readSummaries(
  queryable: Queryable, scope: Pick<UsageScope, 'product' | 'month' | 'ownerId' | 'until'>, deadline: Deadline,
): Promise<ObjectSummary[]> {
  const present = { ...scope, month: new Date(monthOf(scope.until) / 1000).toISOString().slice(0, 10) };
  const rows = await queryable.query(sql<Row>`
    select object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.object_uid as "objectUid",
           object.api_group as "group", object.kind, object.name, object.namespace,
           sum(used.changes)::integer as "changes",
           max(used.peak_cpu) as "peakCpu", max(used.peak_memory) as "peakMemory",
           sum(used.cpu) as "useCpu", sum(used.memory) as "useMemory",
           coalesce(present.cpu, 0) as "currentCpu", coalesce(present.memory, 0) as "currentMemory",
           ${micros(sql`object.first_at`)} as "firstSeen", ${micros(sql`object.last_seen_at`)} as "lastSeen"
      from (${usedUntil(ofScope(scope), scope.until)}) used
      join metered_object object on object.id = used.metered_id
      left join (
        select metered_id, cpu, memory from usage_segment
         where ${ofScope(present)} and from_us <= ${scope.until}::bigint and to_us > ${scope.until}::bigint
      ) present on present.metered_id = object.id
     group by object.id, present.cpu, present.memory`, { deadline });
  return rows.map(({ peakCpu, peakMemory, useCpu, useMemory, currentCpu, currentMemory, ...row }) => ({
    ...row,
    peak: { cpu: BigInt(peakCpu), memory: BigInt(peakMemory) },
    use: { cpu: BigInt(useCpu), memory: BigInt(useMemory) },
    current: { cpu: BigInt(currentCpu), memory: BigInt(currentMemory) },
  }));
}
