-- Views read the objects of an owner cluster by cluster, while rows are made of those that have arrived (ADR 0156).

alter table usage_month add column cluster_uid uuid;

-- See 20261125200000.
create or replace function sum_up_usage(object_ids bigint[], of_months date[], before_us bigint)
returns setof usage_month
language sql stable begin atomic
  select metered_id, month, contract_id, class, owner_id, product,
         sum(cpu * (to_us - from_us)), sum(memory * (to_us - from_us)), max(cpu), max(memory),
         count(*) filter (where is_change)::integer,
         (array_agg(cpu order by from_us desc))[1], (array_agg(memory order by from_us desc))[1], max(to_us),
         latest_us, latest_mode, latest_event_us, cluster_uid
    from (
      select segment.*, asked.month as asked_month, object.cluster_uid,
             lag(from_us) over earlier is not null
               and (lag(cpu) over earlier, lag(memory) over earlier) is distinct from (cpu, memory) as is_change,
             last_value(from_us) over whole as latest_us, last_value(mode) over whole as latest_mode,
             last_value(event_us) over whole as latest_event_us
        from unnest(object_ids, of_months) as asked (metered_id, month)
        join metered_object object on object.id = asked.metered_id
       cross join lateral (
         select * from usage_segment
          where metered_id = asked.metered_id and from_us >= month_start_us(asked.month)
            and from_us < least(before_us, month_start_us((asked.month + interval '1 month')::date))
         union all
         (
           select * from usage_segment where metered_id = asked.metered_id and from_us < month_start_us(asked.month)
            order by from_us desc limit 1
         )
       ) segment
      window earlier as (partition by asked.metered_id, asked.month order by from_us),
             whole as (earlier rows between unbounded preceding and unbounded following)
    ) segment
   where month = asked_month
   group by metered_id, month, contract_id, class, owner_id, product, latest_us, latest_mode, latest_event_us,
            cluster_uid;
end;

create or replace function sum_up_usage(object_id bigint, of_month date, before_us bigint) returns setof usage_month
language sql stable begin atomic
  select * from sum_up_usage(array[object_id], array[of_month], before_us);
end;

-- See 20261125200000.
create or replace function renew_usage_months(object_ids bigint[], of_months date[]) returns void
language plpgsql set search_path from current as $$
declare
  -- Summing up one segment takes some microseconds, and agents report an object once an hour.
  most_segments constant integer := 1000;
  never constant bigint := 9223372036854775807;
begin
  with changed as (
    select * from unnest(object_ids, of_months) changed (metered_id, month)
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
      from (
        select array_agg(metered_id) as ids, array_agg(month) as months from counted where segments <= most_segments
      ) few
     cross join lateral sum_up_usage(few.ids, few.months, never) summed
    union all
    select object.id, counted.month, 0, 'none', object.owner_id, object.product, 0, 0, 0, 0, 0, 0, 0, 0, never, '', null,
           object.cluster_uid
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
         latest_us = excluded.latest_us, mode = excluded.mode, mode_us = excluded.mode_us,
         cluster_uid = excluded.cluster_uid;
end $$;


-- A writer that sums up by itself, once for all its statements, sets usage.summed_by to 'writer'. Others are replicas
-- of the version before: they begin a segment with each event, and do not know of one that goes on behind it.
create or replace function renew_usage_months() returns trigger language plpgsql set search_path from current as $$
declare
  ids bigint[];
  months date[];
begin
  if current_setting('usage.summed_by', true) = 'writer' then
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- What goes on ends where the first of those behind its beginning begins: a statement may add several.
    update usage_segment segment set to_us = cut.at_us
      from (
        select earlier.metered_id, earlier.from_us, min(added.from_us) as at_us
          from added
         cross join lateral (
           select metered_id, from_us, to_us from usage_segment
            where metered_id = added.metered_id and from_us < added.from_us order by from_us desc limit 1
         ) earlier
         where earlier.to_us > added.from_us group by earlier.metered_id, earlier.from_us
      ) cut
     where (segment.metered_id, segment.from_us) = (cut.metered_id, cut.from_us);
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select distinct metered_id, month from added) changed;
  elsif tg_op = 'DELETE' then
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select distinct metered_id, month from removed) changed;
  else
    select array_agg(metered_id), array_agg(month) into ids, months
      from (select metered_id, month from added union select metered_id, month from removed) changed;
  end if;
  if ids is not null then
    perform renew_usage_months(ids, months);
  end if;
  return null;
end $$;

-- The last event in a segment is known to writers that sum up by themselves. Where others change it, it is unknown.
create function forget_last_event() returns trigger language plpgsql as $$
begin
  new.event_us = null;
  return new;
end $$;
create trigger forget_last_event before update on usage_segment
  for each row when (current_setting('usage.summed_by', true) is distinct from 'writer')
  execute function forget_last_event();

-- Nobody changes sums until those that are there have their cluster.
lock table usage_month in share row exclusive mode;
update usage_month set cluster_uid = object.cluster_uid from metered_object object where object.id = metered_id;
-- In the place of usage_month_of_owner, whose columns it has: of two indexes, PostgreSQL might take the other one for a
-- cluster, and read all of its owner.
create index usage_month_of_cluster on usage_month (product, month, owner_id, cluster_uid, latest_us);
drop index usage_month_of_owner;
