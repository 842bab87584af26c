-- Links by mail to sign in and to sign up (open-points 18.3, 18.4).
-- What somebody asked for before signing in. The answer to it is a mail, or nothing: a job finds out.
create table sign_in_request (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  kind text not null,
  email text not null,
  -- Keyed hash of what names the browser that asked: the link works in it alone.
  browser bytea not null,
  -- Of a sign-up: the account to make.
  username text not null default '',
  full_name text not null default '',
  created_at timestamptz not null default now(),
  -- When its first mail went out: an address gets few of them an hour.
  mailed_at timestamptz,

  constraint sign_in_request_kind check (kind in ('mail', 'sign-up')),
  constraint sign_in_request_texts check (
    length(email) <= 254 and length(username) <= 40 and length(full_name) <= 100 and length(browser) = 32
  ),
  constraint sign_in_request_name check ((username <> '') = (kind = 'sign-up'))
);
create index sign_in_request_mailed on sign_in_request (lower(email collate "C"), kind, mailed_at)
  where mailed_at is not null;
create index sign_in_request_created on sign_in_request (created_at);

alter table sign_in_code
  alter column account_id drop not null,
  -- Of a link by mail: what it answers. All links of a request end with it.
  add column request_id bigint references sign_in_request (id) on delete cascade,
  drop constraint sign_in_code_kind,
  add constraint sign_in_code_kind check (
    case kind
      when 'link' then account_id is not null and request_id is null
      when 'mail' then account_id is not null and request_id is not null
      when 'sign-up' then account_id is null and request_id is not null
      else false
    end
  );
create index sign_in_code_of_request on sign_in_code (request_id) where request_id is not null;

-- The address that a link has confirmed; another one is not confirmed by it.
alter table account
  add column confirmed_email text not null default '',
  add constraint account_confirmed_email check (length(confirmed_email) <= 254);
create index account_email on account (lower(email collate "C")) where kind = 'person' and email <> '';
