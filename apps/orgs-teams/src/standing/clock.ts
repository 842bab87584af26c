import type { Fragment } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** The later of the clocks of PostgreSQL and of this replica: setting one of them back makes nothing valid again. */
export function laterClock(): Fragment {
  return sql`greatest(clock_timestamp(), to_timestamp(${Date.now() / 1000}::double precision))`;
}

/** Whether a token has expired. @param expiresAt null: never */
export function isExpired(expiresAt: Fragment): Fragment {
  return sql`(${expiresAt} is not null and ${expiresAt} <= ${laterClock()})`;
}
