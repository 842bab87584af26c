import { type Fragment, sql } from '@platform/postgres';

/** A `timestamptz` as microseconds since 1970, exactly. */
export function micros(timestamptz: Fragment): Fragment {
  return sql`(extract(epoch from ${timestamptz}) * 1000000)::bigint`;
}

/** Microseconds since 1970 as `timestamptz`, exactly. */
export function timestamp(microseconds: Fragment): Fragment {
  return sql`timestamptz 'epoch' + ${microseconds} * interval '1 microsecond'`;
}

/** A `tstzmultirange` as JSON: `[{"from": 1, "to": 2}]`, ascending. */
export function windows(multirange: Fragment): Fragment {
  return sql`(
    select jsonb_agg(
      jsonb_build_object('from', ${micros(sql`lower(part)`)}, 'to', ${micros(sql`upper(part)`)}) order by part
    ) from unnest(${multirange}) part
  )`;
}
