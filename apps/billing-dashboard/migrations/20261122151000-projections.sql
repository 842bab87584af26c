-- What this service knows of rows of others, fed by their facts (ADR 0101). Nothing here is a truth of its own.
-- include: ../../../libs/facts/sql/follow.sql

-- Accounts: rows of orgs-teams. One that was deleted keeps its row, because its usage stays.
create table account (
  id bigint primary key,
  slug text not null,
  -- `user` or `organization`.
  kind text not null,
  email text not null default '',
  deleted boolean not null default false
);
create index account_slug on account (lower(slug)) where not deleted;

-- Clusters that accounts have imported: rows of clusters. Removed ones keep their rows, because past views name them.
create table cluster (
  id bigint primary key,
  owner_id bigint not null,
  uid uuid not null,
  name text not null,
  display_name text not null,
  provider text not null default 'Generic',
  kubernetes_version text not null default '',
  node_count integer not null default 0,
  imported_at timestamptz not null,
  -- When the platform last heard of it; null: never.
  last_contact_at timestamptz,
  removed boolean not null default false
);
create index cluster_of_owner on cluster (owner_id, uid);
create index cluster_by_uid on cluster (uid);

-- Contracts: rows of contracts-licensing. One that was deleted counts as revoked at that moment, and stays in past views
-- (open-points 13.5).
create table contract (
  id bigint primary key,
  owner_id bigint not null,
  name text not null,
  product text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- When it was revoked or deleted.
  revoked_at timestamptz,
  deleted boolean not null default false,
  enable_client_billing boolean not null default false,
  -- Empty: no quota.
  quota_metric text not null default '',
  quota_limit double precision not null default 0
);
create index contract_of_owner on contract (owner_id, product);

-- Clusters bound to contracts. A binding counts for the whole window of its contract; removed, until that moment
-- (open-points 7.3).
create table contract_cluster (
  id bigint primary key,
  contract_id bigint not null,
  cluster_uid uuid not null,
  removed_at timestamptz
);
create index contract_cluster_by_uid on contract_cluster (cluster_uid, contract_id);
create index contract_cluster_of_contract on contract_cluster (contract_id, cluster_uid);

-- Licences that were issued or registered.
create table licence (
  -- The serial, decimal.
  id text primary key,
  owner_id bigint not null,
  cluster_uid uuid not null,
  -- 0 for a trial; null for a licence that was not issued by the platform.
  contract_id bigint,
  plan text not null,
  features text[] not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  created_at timestamptz not null,
  registered_at timestamptz
);
create index licence_of_owner on licence (owner_id, cluster_uid);
