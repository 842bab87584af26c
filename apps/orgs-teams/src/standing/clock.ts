import { type Fragment, sql } from '@platform/postgres';

/**
 * SQL expression for the present time. Takes the later one of PostgreSQL's clock and this replica's clock, because
 * either clock may be behind.
 */
export function laterClock(): Fragment {
  return sql`greatest(clock_timestamp(), to_timestamp(${Date.now() / 1000}::double precision))`;
}

/** SQL condition: a token has expired, or a session has been idle for too long. @param token a row of `access_token` */
export function isOver(token: Fragment): Fragment {
  return sql`(
    ${token}.expires_at is not null and ${token}.expires_at <= ${laterClock()}
    or ${token}.idle_for is not null
      and coalesce(${token}.last_used_at, ${token}.created_at) + ${token}.idle_for <= ${laterClock()}
  )`;
}
