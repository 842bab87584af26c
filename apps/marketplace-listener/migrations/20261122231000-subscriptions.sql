-- Installers that customers get through marketplaces (open-points 11.2).
create table installer (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- By which notifications name it.
  public_id text not null,
  marketplace text not null,
  name text not null,
  -- The account that gets the contracts; null until its standalone organization has been made.
  owner_id bigint,
  owner_name text not null,
  -- By which its standalone organization is claimed; null: it has another owner.
  claim_id text,
  -- The cluster that it is bound to; null: none.
  cluster_uid uuid,
  -- Where its usage is reported.
  hosted_base_url text not null default '',
  -- The access token there, sealed for `installer/{public_id}`; null: none.
  sealed_by text,
  sealed_secret bytea,
  created_at timestamptz not null default now(),

  constraint installer_public_id unique (public_id),
  constraint installer_claim_id unique (claim_id),
  constraint installer_public_id_form check (public_id ~ '^[0-9a-v]{20}$'),
  constraint installer_marketplace check (marketplace in ('ProviderA', 'ProviderB', 'ProviderC')),
  constraint installer_owner check (owner_id is not null or claim_id is not null)
);
create unique index installer_name_of_owner on installer (owner_id, lower(name));
create index installer_sealed on installer (sealed_by, id);

-- Subscriptions that were sold through marketplaces (open-points 8.4, 11.3).
create table subscription (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  public_id text not null,
  marketplace text not null,
  state text not null default 'Pending',
  -- The installer that it was made with (A, C) or is bound to (B).
  installer_id bigint references installer,
  -- When it was first bound; null: it is not bound.
  bound_at timestamptz,
  -- It was Failed before it was last bound.
  failed_before boolean not null default false,
  -- What has become of its contracts: none, to be made, made, to be revoked, revoked.
  contracts text not null default 'none',
  -- The state `Deleted` waits until the contracts are revoked.
  ends_deleted boolean not null default false,
  -- At provider B, as it was first given; compared in lower case.
  application_id text,
  managed_resource_group text not null default '',
  resource_usage_id text not null default '',
  plan jsonb not null default '{}',
  -- `eventTime` of the last PUT or DELETE that was applied.
  last_event_at timestamptz,
  billing_events bigint not null default 0,
  last_billing_event_at timestamptz,
  alerts bigint not null default 0,
  last_alert_at timestamptz,
  billing_not_before timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint subscription_public_id unique (public_id),
  constraint subscription_installer unique (installer_id),
  constraint subscription_public_id_form check (public_id ~ '^[0-9a-v]{20}$'),
  constraint subscription_marketplace check (marketplace in ('ProviderA', 'ProviderB', 'ProviderC')),
  constraint subscription_state check (
    state in ('Pending', 'Bounded', 'Running', 'Failed', 'Deleting', 'DeletionFailed', 'Deleted', 'Revoked')
  ),
  constraint subscription_contracts check (contracts in ('none', 'due', 'made', 'revocation_due', 'revoked')),
  constraint subscription_application check ((application_id is not null) = (marketplace = 'ProviderB'))
);
create unique index subscription_of_application on subscription (lower(application_id));
create index subscription_by_update on subscription (updated_at desc, id desc);

-- Links to archives of installers (open-points 11.2). A link goes with its subscription.
create table archive (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  subscription_id bigint not null references subscription on delete cascade,
  -- The last part of the link.
  random text not null,
  expires_at timestamptz not null,
  -- What the archive says, as JSON, sealed for `archive/{random}`; null once the link has expired.
  sealed_by text,
  sealed_secret bytea,

  constraint archive_random unique (random)
);
create index archive_of_subscription on archive (subscription_id, id);
create index archive_to_erase on archive (expires_at) where sealed_secret is not null;
create index archive_sealed on archive (sealed_by, id);

-- Notifications that were applied, each once (open-points 11.2).
create table notification (
  -- Keyed hash of the provider and the document.
  digest bytea primary key,
  subscription_id bigint not null references subscription on delete cascade,
  -- It was answered 200. One that was not goes on where it ended.
  answered boolean not null,
  received_at timestamptz not null default now()
);
create index notification_by_time on notification (received_at);
create index notification_of_subscription on notification (subscription_id);

-- What happened to subscriptions (open-points 8.4). Holds no secret.
create table marketplace_audit (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  subscription_id bigint not null references subscription on delete cascade,
  at timestamptz not null default now(),
  status text not null,
  operation_type text not null,
  description text not null,
  -- The request or the answer.
  data jsonb not null default '{}',
  -- The notification that it is about: one entry for each.
  notification bytea,

  constraint marketplace_audit_notification unique (notification),
  constraint marketplace_audit_status check (status in ('success', 'failure', 'ignored')),
  constraint marketplace_audit_operation check (
    operation_type in ('subscribe', 'bind', 'put', 'delete', 'revoke', 'report-usage', 'alert', 'unknown')
  )
);
create index marketplace_audit_of_subscription on marketplace_audit (subscription_id, id);
create index marketplace_audit_at on marketplace_audit (at);
