-- Endpoints that get events (open-points 18.10).
create table webhook (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- Null: of the site.
  organization_id bigint references account (id) on delete cascade,
  -- On whose rights it rests. Null after that account is gone: nothing is sent then.
  maker_id bigint references account (id) on delete set null,
  url text not null,
  events text[] not null,
  active boolean not null,
  disabled_reason text,
  -- Failures since the last success, and when they began.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Until when one sender has it, or it rests after a failure.
  busy_until timestamptz,
  created_at timestamptz not null default now(),

  constraint webhook_url check (length(url) between 1 and 2000),
  constraint webhook_events check (cardinality(events) > 0),
  constraint webhook_disabled check (
    disabled_reason is null or (not active and disabled_reason in ('failing', 'gone', 'rights_lost'))
  )
);
create index webhook_of_organization on webhook (organization_id, id);
create index webhook_of_maker on webhook (maker_id) where maker_id is not null;

-- The newest secret of an endpoint signs; the one before also does until it expires.
create table webhook_secret (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  webhook_id bigint not null references webhook (id) on delete cascade,
  sealed_by text not null,
  sealed_secret bytea not null,
  expires_at timestamptz
);
create index webhook_secret_of_webhook on webhook_secret (webhook_id, id);

-- An event on its way to one endpoint, and afterwards its line in the log.
create table webhook_delivery (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  webhook_id bigint not null references webhook (id) on delete cascade,
  event_id uuid not null,
  organization_id bigint not null,
  kind text not null,
  subject text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  first_failed_at timestamptz,
  status integer,
  duration_ms integer,
  sent_at timestamptz
);
create index webhook_delivery_of_webhook on webhook_delivery (webhook_id, id);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, subject, id) where state = 'waiting';
create index webhook_delivery_old on webhook_delivery (created_at) where state <> 'waiting';
