import { type Queryable, sql } from '@platform/postgres';
import type { ContractEvent } from './events.ts';

/** Notes an event of a contract once in a period. @returns whether it was not noted before */
export async function noteOnce(
  queryable: Queryable, contractId: number, event: ContractEvent, period: string,
): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into contract_notice (contract_id, event, period) values (${contractId}, ${event}, ${period})
        on conflict do nothing`);
  return inserted === 1;
}

/** The month of a moment in UTC, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
