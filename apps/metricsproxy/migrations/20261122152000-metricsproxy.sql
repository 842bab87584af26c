-- Metrics backends, by the identity under which dashboards read them and the flavor of the dashboard (open-points 9).
create table backend (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- `{ownerID}.{clusterUID}` or `{ownerID}.{clusterUID}.{projectId}`.
  identity text not null,
  flavor text not null,
  -- The account of the identity, with its name, and its entry of the cluster at clusters.
  owner_id bigint not null,
  owner_name text not null,
  cluster_id bigint not null,
  hub_uid text not null default '',
  -- JSON: the backend, and the token by which its datasource signs in here. Sealed for `backend/{identity}/{flavor}`.
  sealed_by text not null,
  sealed_secret bytea not null,

  -- False: the route is gone; datasource and tokens are removed, then the row.
  present boolean not null default true,
  -- A registration has succeeded. The first one that fails is undone.
  confirmed boolean not null default false,
  -- The dashboard is in line with this row.
  settled boolean not null default false,
  -- Names a state of this row: each registration and removal renews it.
  revision uuid not null default gen_random_uuid(),
  registered_at timestamptz not null default now(),
  -- Who brings the dashboard in line now. It renews the lease before each call of another server.
  lease uuid,
  leased_until timestamptz,

  constraint backend_identity unique (identity, flavor),
  constraint backend_flavor check (flavor in ('flavora', 'flavorb')),
  constraint backend_sealed_by check (sealed_by ~ '^[0-9a-f]{16}$')
);
-- Names of flavor B are in lower case.
create unique index backend_flavorb_name on backend (lower(identity)) where flavor = 'flavorb';
create index backend_of_cluster on backend (cluster_id);
-- What a rotation of the keys looks for.
create index backend_sealed on backend (sealed_by, id);

-- include: ../../../libs/facts/sql/follow.sql
