import type { Fragment } from '@platform/postgres';
import { sql } from '@platform/postgres';
import { laterClock } from './later-clock.ts';

/** Whether a token has expired. @param expiresAt null: never */
export function isExpired(expiresAt: Fragment): Fragment {
  return sql`(${expiresAt} is not null and ${expiresAt} <= ${laterClock()})`;
}
