-- Events that wait until orgs-teams has taken them (libs/facts/sql/event-outbox.sql, ADR 0270).
create table event_outbox (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  event_id uuid not null default gen_random_uuid(),
  kind text not null,
  -- What the event is about: `contract:5`.
  subject text not null,
  -- The account that owns the object; null: none.
  owner_id bigint,
  data jsonb not null,
  occurred_at timestamptz not null default clock_timestamp()
);

-- Called by row triggers, in the transaction of the change. The lock of the row that changed gives the ids of its events
-- their order.
create function note_event(kind text, subject text, owner_id bigint, data jsonb) returns void
language sql set search_path from current as $$
  insert into event_outbox (kind, subject, owner_id, data) values ($1, $2, $3, $4)
$$;

-- A time in the data of an event: RFC3339, in UTC.
create function event_time(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
