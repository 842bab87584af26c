-- Who changed what, in the transaction of the change. No foreign keys: it outlives what it tells of.
create table audit (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  at timestamptz not null default now(),
  -- The account that did it; null for the operator and for the platform itself.
  actor_id bigint,
  -- Its name then, or `operator`, or `platform`.
  actor text not null,
  -- `organization.create`, `user.update`, `token.revoke`.
  action text not null,
  -- What was changed: `organization:3`, `user:4`.
  object text not null,
  -- The organization it happened in; null for none.
  organization_id bigint,
  request_id text not null,
  -- What changed; never a secret.
  details jsonb not null default '{}',

  constraint audit_action check (action ~ '^[a-z_]+\.[a-z_]+$')
);
create index audit_of_organization on audit (organization_id, id) where organization_id is not null;
create index audit_of_actor on audit (actor_id, id) where actor_id is not null;
create index audit_of_object on audit (object, id);
create index audit_at on audit (at);
