-- The contracts of a subscription, once they are made: what is used under them is reported.
alter table subscription add column contract_ids bigint[] not null default '{}';

-- How far the use of a subscription is in buckets (ADR 0139).
create table metered_subscription (
  subscription_id bigint primary key references subscription on delete cascade,
  -- Use up to here is in buckets.
  closed_until timestamptz not null,
  -- When an alert was sent about reports that wait; null: none waits for so long.
  alerted_at timestamptz
);

-- What a subscription has used, as it was known when its last hour was closed.
create table metered_use (
  subscription_id bigint not null references metered_subscription on delete cascade,
  -- Such as `productdb_cpu_core_minutes`.
  dimension text not null,
  -- `2026-11`
  month text not null,
  -- Billionths of a core, or of a byte, times microseconds.
  amount numeric not null,

  constraint metered_use_pkey primary key (subscription_id, dimension, month)
);

-- What is reported of an hour. An hour without use has no bucket.
create table usage_bucket (
  -- Names the report: a repeat of it is counted once.
  id uuid primary key default gen_random_uuid(),
  subscription_id bigint not null references metered_subscription on delete cascade,
  dimension text not null,
  -- The first moment of the hour.
  hour timestamptz not null,
  quantity bigint not null,
  -- The sum of the quantities of the dimension up to this bucket.
  counted bigint not null,
  closed_at timestamptz not null,
  -- `waiting`, `accepted`; `expired`: the provider takes it no more.
  state text not null default 'waiting',

  constraint usage_bucket_hour unique (subscription_id, dimension, hour),
  constraint usage_bucket_quantity check (quantity > 0 and counted >= quantity),
  constraint usage_bucket_state check (state in ('waiting', 'accepted', 'expired'))
);
create index usage_bucket_waiting on usage_bucket (subscription_id, closed_at) where state = 'waiting';

-- The address ranges that provider A publishes: the last good copy of each list.
create table published_ranges (
  url text primary key,
  ranges text[] not null,
  fetched_at timestamptz not null
);
