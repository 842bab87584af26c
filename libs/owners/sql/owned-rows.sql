-- Tables whose rows belong to accounts (libs/owners). A migration includes this file and then calls
-- `guard_owned_rows('cluster')` for its table, which has the columns `id` and `owner_id`.

-- Accounts that are being deleted or are gone: nothing is added for them any more (authorization.md W5). The row of an
-- account that is gone stays, so that no late write succeeds.
create table if not exists closed_owner (
  owner_id bigint primary key,
  closed_at timestamptz not null default now()
);

-- A write that adds rows for an owner holds the owner's lock shared; a close or reopen holds it alone. So the count
-- after a close sees each row, and a later write sees the closed owner. Owners share 64 locks, because a batch for a
-- thousand owners must not fill the server's lock table.
create or replace function owner_lock(owner_id bigint) returns integer language sql immutable
  return (owner_id % 64)::integer;

create or replace function lock_owner_alone(owner_id bigint) returns void
language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock('closed_owner'::regclass::oid::integer, owner_lock(owner_id));
end $$;

-- Refuses rows of closed owners. The triggers below call it, so that no code, and no change by hand in SQL, can skip it.
create or replace function refuse_closed_owners(owned text, owner_ids bigint[]) returns void
language plpgsql set search_path from current as $$
declare
  closed bigint;
begin
  -- The query below must run after the lock, in a snapshot of its own.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'owners are given at isolation level read committed only'
      using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock_shared('closed_owner'::regclass::oid::integer, locks.lock)
     from (select distinct owner_lock(owner) as lock from unnest(owner_ids) as owner order by 1) as locks;
  select min(c.owner_id) into closed from closed_owner c where c.owner_id = any (owner_ids);
  if closed is not null then
    raise exception 'owner % is closed', closed
      using errcode = 'check_violation', constraint = owned || '_owner_open', table = owned;
  end if;
end $$;

create or replace function owned_rows_added() returns trigger language plpgsql set search_path from current as $$
begin
  perform refuse_closed_owners(tg_table_name, array(select distinct owner_id from changed));
  return null;
end $$;

create or replace function owned_rows_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from was full join now using (id) where was.id is null or now.id is null) then
    raise exception 'rows of % keep their ids', tg_table_name
      using errcode = 'check_violation', constraint = tg_table_name || '_keeps_its_id', table = tg_table_name;
  end if;
  perform refuse_closed_owners(tg_table_name, moved.owner_ids)
     from (select array(select distinct now.owner_id from was join now using (id) where was.owner_id <> now.owner_id))
       as moved (owner_ids)
    where cardinality(moved.owner_ids) > 0;
  return null;
end $$;

create or replace procedure guard_owned_rows(owned text) language plpgsql set search_path from current as $$
begin
  execute format('create trigger owned_rows_added after insert on %I referencing new table as changed
    for each statement execute function owned_rows_added()', owned);
  execute format('create trigger owned_rows_changed after update on %I referencing old table as was new table as now
    for each statement execute function owned_rows_changed()', owned);
end $$;
