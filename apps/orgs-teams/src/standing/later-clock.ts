import type { Fragment } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** The later of the clocks of PostgreSQL and of this replica: one of them set back turns no time back. */
export function laterClock(): Fragment {
  return sql`greatest(clock_timestamp(), to_timestamp(${Date.now() / 1000}::double precision))`;
}
