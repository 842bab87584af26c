-- Uploaded pictures of accounts. A row without `removable_at` says that `account.avatar` of this name is a file in the
-- store; an account whose name has no row has a picture made from its name. A row comes before its file and goes after
-- it, so no file is ever forgotten, whatever crashes.
create table picture_file (
  name text primary key,
  -- The file may be removed from then on: it was never taken into use, or is no longer.
  removable_at timestamptz,

  constraint picture_file_name check (name ~ '^[0-9a-f]{32}$')
);
create index picture_file_removable on picture_file (removable_at) where removable_at is not null;

-- A picture that an account no longer has, because of a new one or because the account is gone.
create function picture_left() returns trigger language plpgsql set search_path from current as $$
begin
  update picture_file set removable_at = now() where name = old.avatar;
  return null;
end $$;
create trigger picture_replaced after update of avatar on account for each row
  when (old.avatar is distinct from new.avatar)
  execute function picture_left();
create trigger picture_of_nobody after delete on account for each row execute function picture_left();
