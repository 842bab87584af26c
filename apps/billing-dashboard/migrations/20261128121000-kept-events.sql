-- What is kept of the events of members, by month of arrival, for the quotas (open-points 13.5, ADR 0213). Raw events of
-- before are not counted: they go with their months.
create table kept_events (
  owner_id bigint not null,
  -- As the subject names it, in lower case: no UUID where credentials were made for another name.
  cluster_uid text not null,
  product_name text not null,
  -- `raw` or `parked`.
  kind text not null,
  -- First day of the UTC month in which they arrived.
  month date not null,
  events bigint not null,
  bytes bigint not null,

  constraint kept_events_pkey primary key (owner_id, cluster_uid, product_name, kind, month)
);

-- The member of an event's subject; no row where the subject names none.
create function member_of_subject(subject text)
returns table (owner_id bigint, cluster_uid text, product_name text) language sql immutable parallel safe
begin atomic
  select part[1]::bigint, lower(part[2]), part[3]
    from regexp_matches(subject, '^events\.s\d+\.user\.([1-9]\d{0,15})\.k8s\.([^.]+)\.product\.([^.]+)$') part;
end;

-- Whoever parks, replays or drops messages: the count goes with the rows. Rows are locked in the order of their key, so
-- batches never wait in a circle.
create function count_parked_events() returns trigger language plpgsql set search_path from current as $$
begin
  insert into kept_events as kept (owner_id, cluster_uid, product_name, kind, month, events, bytes)
  select member.*, 'parked', date_trunc('month', changed.received_at at time zone 'UTC')::date,
         case tg_op when 'DELETE' then -count(*) else count(*) end,
         case tg_op when 'DELETE' then -sum(octet_length(changed.data)) else sum(octet_length(changed.data)) end
    from changed cross join lateral member_of_subject(changed.subject) member
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
      on conflict on constraint kept_events_pkey do update
         set events = kept.events + excluded.events, bytes = kept.bytes + excluded.bytes;
  return null;
end $$;

insert into kept_events (owner_id, cluster_uid, product_name, kind, month, events, bytes)
select member.*, 'parked', date_trunc('month', parked.received_at at time zone 'UTC')::date, count(*),
       sum(octet_length(parked.data))
  from parked_event parked cross join lateral member_of_subject(parked.subject) member
 group by 1, 2, 3, 4, 5;

create trigger parked_event_is_counted after insert on parked_event
  referencing new table as changed for each statement execute function count_parked_events();
create trigger parked_event_is_uncounted after delete on parked_event
  referencing old table as changed for each statement execute function count_parked_events();
