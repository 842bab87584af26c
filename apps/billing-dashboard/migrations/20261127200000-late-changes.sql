-- What events that came in time have proven is not taken back by late ones (open-points 13.5, ADR 0177).

-- Latest time of a copy of an event that arrived within 10 minutes of its own time.
alter table metered_object add column proven_at timestamptz not null default '-infinity';

-- Own time of an event that came too late for it: `seen` begins at the moment that was proven when the event arrived.
-- Null: the event counts at its own time.
alter table object_version add column said_at timestamptz;

-- What belated events say of a time that was proven before they arrived: such a statement can only raise use.
create table late_statement (
  metered_id bigint not null references metered_object,
  -- Identity of the event; its row of object_version may belong to another time, or to none.
  identity bytea not null,
  -- The event's own time.
  at timestamptz not null,
  -- The statement counts until here, unless another event begins before.
  until timestamptz not null,
  received_at timestamptz not null,
  generation bigint not null,
  cpu numeric(38, 0) not null,
  memory numeric(38, 0) not null,
  mode text not null,
  resource_trial boolean not null,
  primary key (metered_id, at, identity),
  constraint late_statement_lasts check (until > at)
);
