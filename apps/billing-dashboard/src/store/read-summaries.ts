import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { add, type Figures } from '../usage/figures.ts';
import { monthOf } from '../usage/segments.ts';
import { rfc3339Of, utcText } from './micros.ts';
import { type ObjectLine, type ObjectsOfCluster, readObjectLines } from './read-object-lines.ts';
import { ofScope, type UsageScope, usedIn } from './read-usage.ts';

/** How the amounts of an object changed in a month. */
export interface ObjectSummary extends ObjectLine {
  readonly changes: number;
  readonly peak: Figures;
  /** Amounts times microseconds. */
  readonly use: Figures;
  readonly current: Figures;
  /** RFC 3339. */
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** Reads the summaries of all objects of an owner, or of all owners; `current` is what they use at the moment. */
export async function readSummaries(
  snapshot: Queryable, scope: Pick<UsageScope, 'product' | 'month' | 'ownerId' | 'until'>, deadline: Deadline,
): Promise<ObjectsOfCluster<ObjectSummary>[]> {
  const present = { ...scope, month: new Date(monthOf(scope.until) / 1000).toISOString().slice(0, 10) };
  return readObjectLines(snapshot, {
    from: sql`
      (${await usedIn(snapshot, scope, deadline)}) used
        join metered_object object on object.id = used.metered_id
        left join (
          select metered_id, cpu, memory from usage_segment
           where ${ofScope(present)} and from_us <= ${scope.until}::bigint and to_us > ${scope.until}::bigint
        ) present on present.metered_id = object.id`,
    values: [
      sql`used.changes`, sql`used.peak_cpu`, sql`used.peak_memory`, sql`used.cpu`, sql`used.memory`,
      sql`coalesce(present.cpu, 0)`, sql`coalesce(present.memory, 0)`,
      utcText(sql`object.first_at`), utcText(sql`object.last_seen_at`),
    ],
    toItem: toSummary,
    merge: (item, other) => {
      item.changes += other.changes;
      item.peak = { cpu: larger(item.peak.cpu, other.peak.cpu), memory: larger(item.peak.memory, other.peak.memory) };
      item.use = add(item.use, other.use);
    },
  }, deadline);
}

function toSummary(line: ObjectLine) {
  const [changes, peakCpu, peakMemory, cpu, memory, currentCpu, currentMemory, firstSeen, lastSeen]
    = line.values as [string, string, string, string, string, string, string, string, string];
  return {
    ...line,
    changes: Number(changes),
    peak: { cpu: BigInt(peakCpu), memory: BigInt(peakMemory) },
    use: { cpu: BigInt(cpu), memory: BigInt(memory) },
    current: { cpu: BigInt(currentCpu), memory: BigInt(currentMemory) },
    firstSeen: rfc3339Of(firstSeen),
    lastSeen: rfc3339Of(lastSeen),
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
