import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { add, type Figures } from './figures.ts';
import { monthOf } from './segments.ts';
import { rfc3339Of, utcText } from './micros.ts';
import type { ObjectLine, ObjectLines } from './read-object-lines.ts';
import { objectsOf, type UsageUntil, usedInCluster } from './read-usage.ts';

/** Figures of an object in the view `object-quota-history-summaries-view` (open-points 7.2). */
interface ObjectSummary {
  readonly line: ObjectLine;
  readonly changes: number;
  readonly peak: Figures;
  /** Amounts times microseconds. */
  readonly use: Figures;
  readonly current: Figures;
  /** RFC 3339. */
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/**
 * Describes how to read the summaries of objects. `current` contains the amounts at the time `scope.until`, even if the
 * month of the view is over.
 */
export async function summariesOfObjects(
  snapshot: Queryable, scope: UsageUntil, deadline: Deadline,
): Promise<ObjectLines<ObjectSummary>> {
  const present = { ...scope, month: new Date(monthOf(scope.until) / 1000).toISOString().slice(0, 10) };
  return {
    // Read the amounts of all objects as one JSON object, not through a join. PostgreSQL may have no statistics on the
    // current month yet. It would then plan the join as if there were a single object.
    ofCluster: sql`
      select jsonb_object_agg(metered_id, last_cpu || ' ' || last_memory) as present
        from (${await usedInCluster(snapshot, present, deadline)}) used where last_to_us > ${scope.until}::bigint`,
    from: sql`
      (${await usedInCluster(snapshot, scope, deadline)}) used ${objectsOf(sql`used.metered_id`)}`,
    values: [
      sql`used.changes`, sql`used.peak_cpu`, sql`used.peak_memory`, sql`used.cpu`, sql`used.memory`,
      sql`coalesce(of_cluster.present ->> object.id::text, '0 0')`,
      utcText(sql`object.first_at`), utcText(sql`object.last_seen_at`),
    ],
    toItem: toSummary,
    merge: (one, other) => ({
      ...one,
      changes: one.changes + other.changes,
      peak: { cpu: larger(one.peak.cpu, other.peak.cpu), memory: larger(one.peak.memory, other.peak.memory) },
      use: add(one.use, other.use),
    }),
  };
}

function toSummary(line: ObjectLine, values: readonly string[]): ObjectSummary {
  const [changes, peakCpu, peakMemory, cpu, memory, current, firstSeen, lastSeen]
    = values as [string, string, string, string, string, string, string, string];
  const [currentCpu, currentMemory] = current.split(' ') as [string, string];
  return {
    line, changes: Number(changes), peak: { cpu: BigInt(peakCpu), memory: BigInt(peakMemory) },
    use: { cpu: BigInt(cpu), memory: BigInt(memory) },
    current: { cpu: BigInt(currentCpu), memory: BigInt(currentMemory) },
    firstSeen: rfc3339Of(firstSeen), lastSeen: rfc3339Of(lastSeen),
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
