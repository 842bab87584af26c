-- What this service knows of rows of others, fed by their facts (ADR 0104). Nothing here is a truth of its own: a
-- projection may lag behind for a moment, and is filled again after a restore.

-- Accounts, by which contracts show their owners: rows of orgs-teams.
create table account (
  id bigint primary key,
  slug text not null,
  kind text not null,
  deleted boolean not null default false
);

-- Clusters that accounts have imported: rows of clusters. A removed cluster keeps its row, so that it is never taken
-- for a new one.
create table imported_cluster (
  id bigint primary key,
  owner_id bigint not null,
  uid uuid not null,
  name text not null,
  display_name text not null,
  imported_at timestamptz not null,
  provider text not null default 'Generic',
  kubernetes_version text not null default '',
  node_count integer not null default 0,
  -- When the platform last heard of it; null: never.
  last_contact_at timestamptz,
  removed boolean not null default false
);
create index imported_cluster_of_owner on imported_cluster (owner_id, id) where not removed;
create index imported_cluster_by_uid on imported_cluster (owner_id, uid) where not removed;
