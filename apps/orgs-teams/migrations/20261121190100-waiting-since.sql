-- For how long work has waited, for those who watch it. Since when the servers do not know everything of an account;
-- told_revision = revision makes it meaningless.
alter table bus_account add column untold_since timestamptz not null default now();

create function bus_account_became_untold() returns trigger language plpgsql set search_path from current as $$
begin
  new.untold_since := now();
  return new;
end $$;
create trigger bus_account_became_untold before update on bus_account
  for each row when (old.told_revision >= old.revision and new.told_revision < new.revision)
  execute function bus_account_became_untold();

-- Few accounts are being deleted, and those few are looked for again and again.
create index account_closing on account (closing_at) where closing_at is not null;
