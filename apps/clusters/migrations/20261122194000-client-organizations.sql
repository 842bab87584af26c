-- Client organizations: what they are to have on the clusters of a hub, and how far the work is (open-points 4.2, 4.3).
-- include: ../../../libs/writes/sql/audit.sql

alter table cluster
  -- Of the hub of a client organization: the account through whose import of the same cluster it is reached.
  add column hub_owner_id bigint,
  add constraint cluster_hub_owner check (hub_owner_id is null or hub and sealed_by is null);

create table client_organization (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- Names its creation at orgs-teams.
  creation uuid not null unique,
  -- Its account. Null until orgs-teams has created it.
  organization_id bigint unique,
  -- In lower case. It names namespaces.
  name text not null,
  hub_owner_id bigint not null,
  hub_uid uuid not null,
  -- What its members may do on the clusters: a list of permissions as the request gave them.
  permissions jsonb not null,
  -- creating: orgs-teams may have created the account, or not. closing: the deletion may still be refused.
  state text not null default 'creating',
  created_at timestamptz not null default now(),
  deleting_at timestamptz,
  deleted_at timestamptz,

  constraint client_organization_state check (state in ('creating', 'active', 'closing', 'deleting', 'deleted')),
  constraint client_organization_created check (state = 'creating' or organization_id is not null),
  constraint client_organization_deleting check ((state in ('closing', 'deleting', 'deleted')) = (deleting_at is not null)),
  constraint client_organization_deleted check ((state = 'deleted') = (deleted_at is not null))
);
create unique index client_organization_name on client_organization (name) where state <> 'deleted';
create index client_organization_lives on client_organization (name, id);
create index client_organization_hub on client_organization (hub_owner_id, hub_uid) where state <> 'deleted';

-- A spoke of a client organization. The row stays when the organization has nothing there any more.
create table client_cluster (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  client_id bigint not null references client_organization (id) on delete cascade,
  -- Name of the spoke on the hub.
  name text not null,
  uid uuid not null,
  state text not null default 'active',
  deleted_at timestamptz,
  -- What its namespaces get: annotations, and what is stored as annotations, in the order of the request.
  settings json not null,
  -- own: its configuration is sealed below. shared: the gateway of another client organization.
  gateway text,
  sealed_by text,
  sealed_secret bytea,
  usable_as_shared boolean not null default false,
  -- The client organization whose gateway it uses.
  gateway_of bigint references client_organization (id),

  constraint client_cluster_name unique (client_id, name),
  constraint client_cluster_state check (state in ('active', 'deleting', 'deleted')),
  constraint client_cluster_deleted check ((state = 'deleted') = (deleted_at is not null)),
  constraint client_cluster_gateway check (
    case gateway
      when 'own' then sealed_secret is not null and gateway_of is null
      when 'shared' then sealed_secret is null and gateway_of is not null and not usable_as_shared
      else gateway is null and sealed_secret is null and gateway_of is null and not usable_as_shared
    end
  ),
  constraint client_cluster_sealed check ((sealed_by is null) = (sealed_secret is null))
);
create index client_cluster_gateway_of on client_cluster (gateway_of, name) where gateway_of is not null;
