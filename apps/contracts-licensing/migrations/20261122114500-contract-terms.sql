-- What a contract says (spec §2.4). Rows that only had an owner and a name become contracts of the whole platform for
-- a year.
alter table contract
  -- Alias of a product in products.json.
  add column product text not null default 'platform',
  -- Sorted by code point.
  add column features text[] not null default '{platform,scanner}',
  -- Whole seconds; active while starts_at <= now < ends_at and not revoked (open-points 5.2).
  add column starts_at timestamptz not null default date_trunc('second', now()),
  add column ends_at timestamptz not null default date_trunc('second', now()) + interval '1 year',
  add column revoked_at timestamptz,
  -- Set while `autoAssignCluster` is: only clusters imported from then on are bound.
  add column auto_assign_since timestamptz,
  add column allow_offline boolean not null default false,
  add column disable_analytics boolean not null default false,
  add column enable_client_billing boolean not null default false,
  add column restrictions text not null default '',
  -- Name of the document in its folder: a UUID and the extension; empty without a document.
  add column document text not null default '',

  add column contact_person text[] not null default '{}',
  add column signing_authority text[] not null default '{}',
  add column license_users text[] not null default '{}',
  add column finance_team text[] not null default '{}',
  add column usage_alert_client text[] not null default '{}',
  add column usage_alert_admin text[] not null default '{}',

  add column quota_enabled boolean not null default false,
  -- Empty only while the quota is not enabled.
  add column quota_metric text not null default '',
  add column quota_limit double precision not null default 0,
  -- Percentages, ascending.
  add column quota_thresholds integer[] not null default '{}',
  -- No further licences once the limit is reached.
  add column quota_blocks_licences boolean not null default false,

  add constraint contract_times check (ends_at > starts_at),
  add constraint contract_quota_metric
    check (quota_metric in ('memory_gib_month', 'cpu_core_month', 'clusters') or quota_metric = '' and not quota_enabled),
  add constraint contract_quota_limit check (quota_limit >= 0 and (quota_limit > 0 or not quota_enabled));

alter table contract
  alter column product drop default,
  alter column features drop default,
  alter column starts_at drop default,
  alter column ends_at drop default;

-- Clusters bound to a contract. A cluster is named by its UID, and need not be imported by anybody.
create table contract_cluster (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  contract_id bigint not null references contract on delete cascade,
  cluster_uid uuid not null,
  display_name text not null default '',
  -- In the order given.
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),

  constraint contract_cluster_once unique (contract_id, cluster_uid),
  constraint contract_cluster_display_name check (length(display_name) <= 100)
);
create index contract_cluster_of_contract on contract_cluster (contract_id, id);
create index contract_cluster_by_uid on contract_cluster (cluster_uid, contract_id);

-- What happened to a contract (open-points 5.5); kept as long as the contract.
create table contract_event (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  contract_id bigint not null references contract on delete cascade,
  -- A kind, or a kind and a subject: `contract.created`, `cluster.added {uuid}`.
  event text not null,
  -- Login of the account that did it, or `system`.
  added_by text not null,
  created_at timestamptz not null default now()
);
create index contract_event_of_contract on contract_event (contract_id, id);
