import { type Fragment, sql } from '@platform/postgres';

/** A `timestamptz` as microseconds since 1970, exactly. */
export function micros(timestamptz: Fragment): Fragment {
  return sql`(extract(epoch from ${timestamptz}) * 1000000)::bigint`;
}

/**
 * {@link micros} for times up to the year 9999, such as the end of a contract. The PostgreSQL client cannot read an
 * int8 above 2^53 (the year 2255). Times after 2255 are rounded by at most 16 microseconds, so whole seconds keep their
 * order.
 */
export function distantMicros(timestamptz: Fragment): Fragment {
  return sql`(extract(epoch from ${timestamptz}) * 1000000)::float8`;
}

/** A `timestamptz` as a text in UTC, for {@link rfc3339Of}. */
export function utcText(timestamptz: Fragment): Fragment {
  return sql`(${timestamptz} at time zone 'UTC')::text`;
}

/** Formats a time as RFC 3339, cut to whole seconds (open-points 1.7). @param utc such as `2026-11-01 10:00:00.5` */
export function rfc3339Of(utc: string): string {
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}Z`;
}

/** Microseconds since 1970 as `timestamptz`. */
export function timestamp(microseconds: Fragment): Fragment {
  return sql`timestamptz 'epoch' + ${microseconds} * interval '1 microsecond'`;
}

/** A `tstzmultirange` as JSON: `[{"from": 1, "to": 2}]`, ascending, in microseconds since 1970; null if it is empty. */
export function windows(multirange: Fragment): Fragment {
  return sql`(
    select jsonb_agg(
      jsonb_build_object('from', ${micros(sql`lower(part)`)}, 'to', ${micros(sql`upper(part)`)}) order by part
    ) from unnest(${multirange}) part
  )`;
}
