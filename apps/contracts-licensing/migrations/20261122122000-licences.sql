-- Every licence that was issued here or registered. No foreign key: a licence outlives its contract.
create table licence (
  -- The serial: 63 random bits.
  id bigint primary key,
  owner_id bigint not null,
  cluster_uid uuid not null,
  -- 0 for a trial; null for a licence that was not issued here.
  contract_id bigint,
  product_line text not null,
  tier text not null,
  plan text not null,
  features text[] not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  created_at timestamptz not null default now(),
  registered_at timestamptz,

  constraint licence_id check (id > 0)
);
create index licence_of_cluster on licence (cluster_uid, id);
create index licence_of_contract on licence (contract_id, cluster_uid);

-- Clusters that have had a licence under a contract: what its quota counts (open-points 5.1).
create table licensed_cluster (
  contract_id bigint not null references contract on delete cascade,
  cluster_uid uuid not null,
  licensed_at timestamptz not null default now(),
  primary key (contract_id, cluster_uid)
);

-- Clusters that have had their trial: once each, whoever asks (open-points 6.2).
create table trial (
  cluster_uid uuid primary key,
  started_at timestamptz not null,
  ends_at timestamptz not null
);

-- Clusters that an account has named in an installer of the licence proxy: it may get a trial for them.
create table installer_cluster (
  owner_id bigint not null,
  cluster_uid uuid not null,
  primary key (owner_id, cluster_uid)
);

-- What a contract was noted for once: a mail that was sent, a threshold that was reached. Replicas and restarts find it
-- here, so nothing is done twice.
create table contract_notice (
  contract_id bigint not null references contract on delete cascade,
  -- As in `contract_event.event`: `reminder.sent 45`, `quota.limit_reached`.
  event text not null,
  -- What it is once for: a month such as `2026-11`, or the end of the contract in Unix seconds.
  period text not null,
  noted_at timestamptz not null default now(),
  primary key (contract_id, event, period)
);
