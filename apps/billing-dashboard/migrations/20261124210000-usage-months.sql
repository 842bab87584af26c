-- What segments of an object sum up to in a month, so that a view of a month reads one row for each object and not all
-- its segments (ADR 0121). Triggers keep it in line with the segments, also when they are changed by hand.
create table usage_month (
  metered_id bigint not null references metered_object,
  -- First day of the UTC month.
  month date not null,
  contract_id bigint not null,
  class text not null,
  owner_id bigint not null,
  product text not null,
  -- Amounts times microseconds, over whole segments.
  cpu numeric not null,
  memory numeric not null,
  peak_cpu numeric(38, 0) not null,
  peak_memory numeric(38, 0) not null,
  -- Segments with other amounts than the one before them.
  changes integer not null,
  -- The last of these segments: for a moment inside it, `cpu` and `memory` have too much.
  last_cpu numeric(38, 0) not null,
  last_memory numeric(38, 0) not null,
  last_to_us bigint not null,
  -- Where the last segment of the object in the month begins, of any contract and class, and its mode. The highest
  -- bigint: the object has too many segments to be summed up at each change, and its row has no sums.
  latest_us bigint not null,
  mode text not null,

  constraint usage_month_pkey primary key (metered_id, month, contract_id, class)
) with (fillfactor = 80);
create index usage_month_of_owner on usage_month (product, month, owner_id, latest_us);

create function month_start_us(day date) returns bigint language sql immutable
  return (extract(epoch from day::timestamp) * 1000000)::bigint;

-- Sums up the segments of an object in a month that begin before a moment.
create function sum_up_usage(object_id bigint, of_month date, before_us bigint) returns setof usage_month
language sql stable begin atomic
  select metered_id, month, contract_id, class, owner_id, product,
         sum(cpu * (to_us - from_us)), sum(memory * (to_us - from_us)), max(cpu), max(memory),
         count(*) filter (where is_change)::integer,
         (array_agg(cpu order by from_us desc))[1], (array_agg(memory order by from_us desc))[1], max(to_us),
         latest_us, latest_mode
    from (
      select *, lag(from_us) over earlier is not null
                  and (lag(cpu) over earlier, lag(memory) over earlier) is distinct from (cpu, memory) as is_change,
             max(from_us) over () as latest_us,
             first_value(mode) over (order by from_us desc) as latest_mode
        from (
          select * from usage_segment
           where metered_id = object_id and from_us >= month_start_us(of_month)
             and from_us < least(before_us, month_start_us((of_month + interval '1 month')::date))
          union all
          (
            select * from usage_segment where metered_id = object_id and from_us < month_start_us(of_month)
             order by from_us desc limit 1
          )
        ) with_earlier
      window earlier as (order by from_us)
    ) segment
   where month = of_month
   group by metered_id, month, contract_id, class, owner_id, product, latest_us, latest_mode;
end;

create function renew_usage_months() returns trigger language plpgsql set search_path from current as $$
declare
  -- Summing up one segment takes some microseconds, and agents report an object once an hour.
  most_segments constant integer := 1000;
  never constant bigint := 9223372036854775807;
  ids bigint[];
  months date[];
begin
  if tg_op = 'INSERT' then
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select distinct metered_id, month from added) changed;
  elsif tg_op = 'DELETE' then
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select distinct metered_id, month from removed) changed;
  else
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select metered_id, month from added union select metered_id, month from removed) changed;
  end if;
  if ids is null then
    return null;
  end if;
  with changed as (
    select * from unnest(ids, months) changed (metered_id, month)
  ), touched as materialized (
    select metered_id, month from changed
    union
    -- The first segment of the next month is a change or not by what was before it.
    select changed.metered_id, next.month
      from changed
     cross join lateral (
       select month from usage_segment segment
        where segment.metered_id = changed.metered_id
          and segment.from_us >= month_start_us((changed.month + interval '1 month')::date)
        order by segment.from_us limit 1
     ) next
  ), counted as materialized (
    select touched.metered_id, touched.month, few.segments
      from touched
     cross join lateral (
       select count(*) as segments
         from (
           select from usage_segment segment
            where segment.metered_id = touched.metered_id and segment.from_us >= month_start_us(touched.month)
              and segment.from_us < month_start_us((touched.month + interval '1 month')::date)
            limit most_segments + 1
         ) found
     ) few
  ), sums as materialized (
    select summed.*
      from counted cross join lateral sum_up_usage(counted.metered_id, counted.month, never) summed
     where counted.segments <= most_segments
    union all
    select object.id, counted.month, 0, 'none', object.owner_id, object.product, 0, 0, 0, 0, 0, 0, 0, 0, never, ''
      from counted join metered_object object on object.id = counted.metered_id
     where counted.segments > most_segments
  ), gone as (
    delete from usage_month known
     using touched
     where (known.metered_id, known.month) = (touched.metered_id, touched.month)
       and not exists (
         select from sums
          where (sums.metered_id, sums.month, sums.contract_id, sums.class)
              = (known.metered_id, known.month, known.contract_id, known.class)
       )
  )
  insert into usage_month select * from sums
      on conflict (metered_id, month, contract_id, class) do update
     set owner_id = excluded.owner_id, product = excluded.product, cpu = excluded.cpu, memory = excluded.memory,
         peak_cpu = excluded.peak_cpu, peak_memory = excluded.peak_memory, changes = excluded.changes,
         last_cpu = excluded.last_cpu, last_memory = excluded.last_memory, last_to_us = excluded.last_to_us,
         latest_us = excluded.latest_us, mode = excluded.mode;
  return null;
end $$;

create function empty_usage_months() returns trigger language plpgsql set search_path from current as $$
begin
  truncate usage_month;
  return null;
end $$;

-- Nobody changes segments until those that are there are summed up.
lock table usage_segment in share row exclusive mode;

create trigger sum_up_added after insert on usage_segment
  referencing new table as added for each statement execute function renew_usage_months();
create trigger sum_up_changed after update on usage_segment
  referencing old table as removed new table as added for each statement execute function renew_usage_months();
create trigger sum_up_removed after delete on usage_segment
  referencing old table as removed for each statement execute function renew_usage_months();
create trigger sum_up_nothing after truncate on usage_segment
  for each statement execute function empty_usage_months();

insert into usage_month
select summed.*
  from (select distinct metered_id, month from usage_segment) object
 cross join lateral sum_up_usage(object.metered_id, object.month, 9223372036854775807) summed
 order by summed.month, summed.metered_id;
