-- Scopes of tokens, and sessions of people in browsers (open-points 18.2, 18.3). A session is a token whose hash is of
-- `session:` and its value, so that the value alone, in a header or a query, names none.
alter table access_token
  add column kind text not null default 'token',
  -- What it may do; `all` is everything.
  add column scopes text[] not null default '{all}',
  -- Of a session that began by a token: it ends with the token.
  add column source_token_id bigint references access_token (id) on delete cascade,
  -- Of a session: how long it lasts without use.
  add column idle_for interval,
  -- Of a session: how, by which program and from where the person signed in.
  add column via text not null default '',
  add column user_agent text not null default '',
  add column address text not null default '',
  add constraint access_token_kind check (kind in ('token', 'session')),
  add constraint access_token_scopes check (cardinality(scopes) > 0),
  add constraint access_token_session check (
    case kind
      when 'session' then
        account_kind = 'person' and scope = '' and idle_for is not null and expires_at is not null
        and via in ('token', 'mail', 'oidc', 'link') and (via = 'token') = (source_token_id is not null)
      else source_token_id is null and idle_for is null and via = '' and user_agent = '' and address = ''
    end
  ),
  add constraint access_token_session_texts check (length(user_agent) <= 255 and length(address) <= 64);
create index access_token_of_source on access_token (source_token_id) where source_token_id is not null;
-- Sessions that have ended are removed by this.
create index access_token_sessions on access_token (expires_at) where kind = 'session';
-- People by the beginning of login or full name.
create index account_login_prefix on account (lower(name collate "C") text_pattern_ops) where kind = 'person';
create index account_full_name_prefix on account (lower(full_name) text_pattern_ops) where kind = 'person';

-- Codes of links that sign in. Only a keyed hash is kept of a code.
create table sign_in_code (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  kind text not null,
  hash bytea not null unique,
  account_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,

  constraint sign_in_code_kind check (kind in ('link')),
  constraint sign_in_code_hash_length check (length(hash) = 32)
);
create index sign_in_code_of_account on sign_in_code (account_id);
create index sign_in_code_end on sign_in_code (expires_at);
