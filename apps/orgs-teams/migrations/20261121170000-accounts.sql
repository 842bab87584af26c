-- Users, organizations and hidden system admins: one id sequence, one name space (open-points 1.10).
-- Ids are drawn from identity sequences that never go back, so no id is ever used again (authorization.md, data); they
-- stay below 2^53, which every JSON reader can hold (open-points 1.7).
create table account (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  kind text not null,
  name text not null,
  -- Of an organization: names the state of what its system admin may do (authorization.md, invariant 3).
  revision uuid not null default gen_random_uuid(),
  is_admin boolean not null default false,
  active boolean not null default true,
  prohibit_login boolean not null default false,
  allow_create_organization boolean not null default true,
  -- The organization whose hidden system admin this is; goes with it.
  system_admin_of bigint,
  full_name text not null default '',
  email text not null default '',
  keep_email_private boolean not null default false,
  website text not null default '',
  location text not null default '',
  language text not null default '',
  description text not null default '',
  -- Names the picture in `{base_url}/avatars/{avatar}`; random, so that it tells nothing about a private account.
  avatar text not null default replace(gen_random_uuid()::text, '-', ''),
  last_login_at timestamptz,
  -- Set while the other services are asked whether they still hold things for it (authorization.md W5).
  closing_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint account_kind check (kind in ('person', 'organization', 'system_admin')),
  constraint account_name_form check (
    case
      when kind = 'system_admin' then name = 'org-' || system_admin_of || '-system'
      else length(name) <= 40 and name ~ '^[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*$' and name !~* '^org-[0-9]+-system$'
    end
  ),
  constraint account_admin_is_person check (kind = 'person' or not is_admin),
  constraint account_system_admin_has_organization check ((kind = 'system_admin') = (system_admin_of is not null)),
  constraint account_texts check (
    length(full_name) <= 100 and length(description) <= 255 and length(location) <= 50 and length(website) <= 255
    and length(email) <= 254 and length(language) <= 35
  ),
  -- Lets other tables say of which kind an account must be.
  constraint account_id_kind unique (id, kind),
  constraint account_avatar unique (avatar)
);
create unique index account_name on account (lower(name collate "C"));
create unique index account_system_admin_of on account (system_admin_of) where system_admin_of is not null;
-- The few site admins: "the last one" is a question asked under lock.
create index account_admins on account (id) where is_admin;

create table organization (
  id bigint primary key,
  kind text not null default 'organization',
  visibility text not null default 'public',
  -- 0 ordinary, 1 multi-cluster-manager origin, 2 client, 6 administrative (open-points 3.1).
  org_type smallint not null default 0,
  manager_endpoint text not null default '',

  constraint organization_account foreign key (id, kind) references account (id, kind) on delete cascade,
  constraint organization_kind check (kind = 'organization'),
  constraint organization_visibility check (visibility in ('public', 'limited', 'private')),
  constraint organization_type check (org_type in (0, 1, 2, 6)),
  constraint organization_manager_endpoint check (length(manager_endpoint) <= 255),
  -- An ordinary organization with an endpoint is one of origin, and one of origin has an endpoint (open-points 3.1).
  constraint organization_origin check (org_type not in (0, 1) or (org_type = 1) = (manager_endpoint <> ''))
);
create unique index organization_administrative on organization (org_type) where org_type = 6;

alter table account add constraint account_system_admin_of_organization
  foreign key (system_admin_of) references organization (id) on delete cascade;

-- Only a keyed hash is kept of a token (open-points 1.3).
create table access_token (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  account_id bigint not null,
  account_kind text not null,
  name text not null,
  hash bytea not null,
  last_eight text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null: never.
  expires_at timestamptz,
  last_used_at timestamptz,

  constraint access_token_account foreign key (account_id, account_kind) references account (id, kind) on delete cascade,
  constraint access_token_account_kind check (account_kind in ('person', 'system_admin')),
  constraint access_token_name check (length(name) between 1 and 100),
  constraint access_token_hash unique (hash),
  constraint access_token_hash_length check (length(hash) = 32),
  constraint access_token_last_eight check (last_eight ~ '^[0-9a-f]{8}$')
);
create index access_token_of_account on access_token (account_id, id);

-- What an account is never changes: what depends on it was decided for that kind.
create function account_keeps_its_kind() returns trigger language plpgsql set search_path from current as $$
begin
  raise exception 'account % keeps its kind and its organization', old.id
    using errcode = 'check_violation', constraint = 'account_keeps_its_kind', table = 'account';
end $$;
create trigger account_keeps_its_kind before update of kind, system_admin_of on account for each row
  when (old.kind is distinct from new.kind or old.system_admin_of is distinct from new.system_admin_of)
  execute function account_keeps_its_kind();
