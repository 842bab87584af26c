-- Tokens of organizations (open-points 3.4).

-- Credentials an organization, or a person in it (deprecated), keeps for the multi-cluster manager. The secret is
-- sealed for this row and no other (libs/service, sealing): for `sync_token/{organization}/{user or 0}`.
create table sync_token (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint not null references organization (id) on delete cascade,
  -- Null: the organization's own.
  user_id bigint references account (id) on delete cascade,
  access_key_id text not null,
  sealed_by text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint sync_token_holder unique nulls not distinct (organization_id, user_id),
  constraint sync_token_access_key_id check (length(access_key_id) between 1 and 255),
  constraint sync_token_sealed_by check (sealed_by ~ '^[0-9a-f]{16}$')
);
create index sync_token_of_user on sync_token (user_id) where user_id is not null;
-- What a rotation of the keys looks for.
create index sync_token_sealed on sync_token (sealed_by, id);

-- Whoever leaves an organization leaves nothing of it behind.
create function sync_token_membership_ended() returns trigger language plpgsql set search_path from current as $$
begin
  delete from sync_token token
   using (select distinct organization_id, user_id from ended) e
   where token.organization_id = e.organization_id
     and token.user_id = e.user_id
     and not exists (
       select from team_member m where m.organization_id = e.organization_id and m.user_id = e.user_id
     );
  return null;
end $$;
create trigger sync_token_membership_ended after delete on team_member referencing old table as ended
  for each statement execute function sync_token_membership_ended();

-- The account of an organization at the message bus, made when first needed. Its seed is not kept: the operator speaks
-- for the account, and each user has a signing key of its own, which is thrown away once it has signed.
create table bus_account (
  organization_id bigint primary key references organization (id) on delete cascade,
  public_key text not null unique,
  -- Moves with each change of what the servers must know; the triggers below see to it.
  revision bigint not null default 1,
  -- Up to which revision the servers know it, by which layout of the account, and since when.
  told_revision bigint not null default 0,
  told_layout text not null default '',
  told_at timestamptz,
  -- Which replica tells them now, and how long the others leave it to that one.
  lease uuid,
  leased_until timestamptz,
  created_at timestamptz not null default now(),

  constraint bus_account_public_key check (public_key ~ '^A[A-Z2-7]{55}$')
);
create index bus_account_untold on bus_account (organization_id) where told_revision < revision;
create index bus_account_told_at on bus_account (told_at);

-- Users of these accounts: the agent of a product in a cluster.
create table bus_user (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint not null references bus_account (organization_id) on delete cascade,
  -- The hidden system admin, with which they go.
  account_id bigint not null,
  account_kind text not null default 'system_admin',
  public_key text not null unique,
  -- Public key of what signed it.
  signing_key text not null,
  cluster_id uuid not null,
  product_name text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,

  constraint bus_user_account foreign key (account_id, account_kind) references account (id, kind) on delete cascade,
  constraint bus_user_account_kind check (account_kind = 'system_admin'),
  constraint bus_user_public_key check (public_key ~ '^U[A-Z2-7]{55}$'),
  constraint bus_user_signing_key check (signing_key ~ '^A[A-Z2-7]{55}$'),
  constraint bus_user_product_name check (product_name ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$')
);
create index bus_user_of_account on bus_user (account_id, id);
create index bus_user_of_organization on bus_user (organization_id, id);

-- A change by hand in SQL reaches the servers too.
create function bus_user_changed() returns trigger language plpgsql set search_path from current as $$
begin
  update bus_account set revision = revision + 1
   where organization_id in (select organization_id from changed);
  return null;
end $$;
create trigger bus_user_added after insert on bus_user referencing new table as changed
  for each statement execute function bus_user_changed();
create trigger bus_user_updated after update on bus_user referencing new table as changed
  for each statement execute function bus_user_changed();
create trigger bus_user_removed after delete on bus_user referencing old table as changed
  for each statement execute function bus_user_changed();

-- Accounts that the servers have still to forget. No foreign key: their organizations are gone.
create table bus_account_removal (
  public_key text primary key,
  organization_id bigint not null,
  created_at timestamptz not null default now()
);

create function bus_account_removed() returns trigger language plpgsql set search_path from current as $$
begin
  insert into bus_account_removal (public_key, organization_id)
  select public_key, organization_id from removed
  on conflict do nothing;
  return null;
end $$;
create trigger bus_account_removed after delete on bus_account referencing old table as removed
  for each statement execute function bus_account_removed();
