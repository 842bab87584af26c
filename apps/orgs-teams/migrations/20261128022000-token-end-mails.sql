-- Whoever has a token is told once that it is about to end.
alter table access_token add column end_mailed_at timestamptz;
create index access_token_ending on access_token (expires_at)
  where kind = 'token' and scope = '' and account_kind = 'person' and end_mailed_at is null;
