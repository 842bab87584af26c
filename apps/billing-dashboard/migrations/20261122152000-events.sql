-- Events of member clusters (open-points 13). Owner, cluster and product are those of the subject an event came on; what
-- its content says of them counts for nothing.

-- What events are about: one object of one resource, as a product in a cluster reports it. Its row is locked by every
-- batch that changes its versions.
create table reported_object (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  owner_id bigint not null,
  cluster_uid uuid not null,
  product_name text not null,
  api_group text not null,
  resource text not null,
  -- `subject` of its events: the UID of the object.
  subject text not null,
  -- Number of its latest version.
  versions integer not null default 0,

  constraint reported_object_once unique (owner_id, cluster_uid, product_name, api_group, resource, subject)
);

-- Objects whose use is metered, as the events of a product alias name them (open-points 13.2): `spec.uid`, else
-- `subject`. Several product names of one alias may report the same object.
create table metered_object (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  owner_id bigint not null,
  cluster_uid uuid not null,
  -- Alias of the product.
  product text not null,
  object_uid text not null,
  -- Time of its first event: the 30 free days begin there.
  first_at timestamptz not null,
  -- Latest time of an event or a repeat.
  last_seen_at timestamptz not null default '-infinity',
  -- From here on its usage is to be renewed; null: it is up to date.
  due_from timestamptz,
  due_since timestamptz,

  -- As its latest event has them.
  api_group text not null default '',
  kind text not null default '',
  name text not null default '',
  namespace text not null default '',
  namespace_uid text not null default '',
  -- The client organization that its namespace names; empty: none.
  client_org_id text not null default '',
  created_at timestamptz,
  deleted_at timestamptz,

  constraint metered_object_once unique (owner_id, cluster_uid, product, object_uid)
);
create index metered_object_due on metered_object (due_since) where due_from is not null;

-- Versions of objects: one for each distinct event. Its identity is (source, id, type, hash of data) (open-points 13.2).
create table object_version (
  object_id bigint not null references reported_object,
  -- From 1, in the order of arrival.
  version integer not null,
  -- SHA-256 of the identity.
  identity bytea not null,
  -- `created`, `updated` or `deleted`.
  type text not null,
  licence_id text not null,
  generation bigint not null,
  -- The union of [time, time + 2 h) over the event and its repeats: when the object is known to be as this version says.
  -- A union depends on neither order nor number, so the same events always give the same rows.
  seen tstzmultirange not null,
  -- Time of the event: the earliest of its copies (open-points 13.5).
  at timestamptz not null generated always as (lower(seen)) stored,
  -- Arrival of the first and the last copy.
  received_at timestamptz not null,
  last_received_at timestamptz not null,

  -- Null where the event is not metered; then so is all that follows.
  metered_id bigint references metered_object,
  owner_id bigint,
  -- Billionths of a core, and of a byte.
  cpu numeric(38, 0),
  memory numeric(38, 0),
  storage numeric(38, 0),
  replicas integer,
  -- Empty: not set.
  mode text,
  -- Its namespace has the annotation that makes its first 30 days free.
  resource_trial boolean,
  -- Group, kind, name, namespace, pods and volumes, for views and reports.
  detail jsonb,

  constraint object_version_pkey primary key (object_id, version),
  constraint object_version_once unique (object_id, identity)
);
create index object_version_metered on object_version (metered_id, at) where metered_id is not null;
-- Which months have an event of an owner.
create index object_version_of_owner on object_version (owner_id, at) where metered_id is not null;
create index object_version_by_time on object_version (at) where metered_id is not null;

-- What the first copy of each version said, in full. Kept six months: partitions by month of arrival, which the service
-- makes when it needs them and drops when they are old.
create table raw_event (
  object_id bigint not null,
  version integer not null,
  received_at timestamptz not null,
  -- `{group, version, name, kind, scope}`
  resource_id jsonb not null,
  resource jsonb not null,
  primary key (object_id, version, received_at)
) partition by range (received_at);

-- When events came for a licence and product, over all time kept.
create table product_contact (
  owner_id bigint not null,
  cluster_uid uuid not null,
  licence_id text not null,
  product_name text not null,
  first_received_at timestamptz not null,
  last_received_at timestamptz not null,
  primary key (owner_id, cluster_uid, licence_id, product_name)
);

-- Messages that were not counted: malformed ones after 5 tries, those of the future, those that came too late.
create table parked_event (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  subject text not null,
  sequence bigint not null,
  received_at timestamptz not null,
  data bytea not null,
  -- `malformed`, `future` or `late`.
  reason text not null,
  detail text not null,
  parked_at timestamptz not null default now(),

  constraint parked_event_once unique (subject, sequence, received_at)
);

-- Makes the partition of raw events that arrive in the UTC month of a day, unless it is there.
create function make_raw_partition(day date) returns void language plpgsql set search_path from current as $$
declare
  month timestamp := date_trunc('month', day::timestamp);
begin
  execute format(
    'create table if not exists %I partition of raw_event for values from (%L) to (%L)',
    'raw_event_' || to_char(month, 'YYYY_MM'), month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
end $$;
