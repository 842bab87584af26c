import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Segment } from '../usage/segments.ts';

/** The segments of an object in a month, ascending, up to a moment (microseconds since 1970). */
export async function readModeIntervals(
  queryable: Queryable, meteredId: number, firstDay: string, until: number, deadline: Deadline,
): Promise<Segment[]> {
  const rows = await queryable.query(sql<Omit<Segment, 'cpu' | 'memory'> & { cpu: string; memory: string }>`
    select from_us as "from", least(to_us, ${until}::bigint) as "to", cpu, memory, contract_id as "contractId", class,
           mode
      from usage_segment
     where metered_id = ${meteredId} and month = ${firstDay}::date and from_us < ${until}::bigint
     order by from_us`, { deadline });
  return rows.map(({ cpu, memory, ...row }) => ({ ...row, cpu: BigInt(cpu), memory: BigInt(memory) }));
}
