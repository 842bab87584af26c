-- Who changed what, in the transaction of the change: the table that @platform/writes fills. A migration of a service
-- that keeps an audit includes this file. No foreign keys: an entry outlives what it describes.
create table audit (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  at timestamptz not null default now(),
  -- The account that did it; null for the operator and for the platform itself.
  actor_id bigint,
  -- Its name then, or `operator`, or `platform`.
  actor text not null,
  -- `{kind}.{what}`: `contract.created`.
  action text not null,
  -- What was changed: `contract:3`.
  object text not null,
  -- The organization it happened in; null for none.
  organization_id bigint,
  -- Accounts it was done to, where `object` does not name them.
  subject_ids bigint[] not null default '{}',
  request_id text not null,
  -- What changed; never a secret.
  details jsonb not null default '{}',
  constraint audit_action check (action ~ '^[a-z_]+\.[a-z_]+$')
);
create index audit_of_object on audit (object, id);
create index audit_at on audit (at);
