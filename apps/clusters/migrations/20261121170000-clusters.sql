-- Clusters and whose they are. Ids come from an identity sequence that never goes back, so no id is ever used again
-- (authorization.md, data); they stay below 2^53, which every JSON reader can hold (open-points 1.7).
create table cluster (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- Names the cluster everywhere on the platform. PostgreSQL compares and shows it in lower case.
  uid uuid not null,
  name text not null,
  display_name text not null default '',
  -- The account it belongs to, an organization or a user: a row of orgs-teams.
  owner_id bigint not null,
  created_at timestamptz not null default now(),

  constraint cluster_uid unique (uid),
  constraint cluster_name check (length(name) between 1 and 100),
  constraint cluster_display_name check (length(display_name) <= 100),
  constraint cluster_owner_id check (owner_id between 1 and 9007199254740991)
);
create index cluster_of_owner on cluster (owner_id, id);

-- Accounts that are being deleted, or are gone: nothing is added for them any more (authorization.md W5). The row of an
-- account that is gone stays, so that what was under way for it can never arrive late.
create table closed_owner (
  owner_id bigint primary key,
  closed_at timestamptz not null default now()
);

-- Who adds for an owner holds the owner's lock shared, who closes or reopens it holds it alone: so the count after
-- closing sees each row, and whoever comes later sees the closed owner. Owners share 64 locks, because a batch for a
-- thousand owners must not fill the server's lock table.
create function owner_lock(owner_id bigint) returns integer language sql immutable
  return (owner_id % 64)::integer;

create function lock_owner_alone(owner_id bigint) returns void language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock('closed_owner'::regclass::oid::integer, owner_lock(owner_id));
end $$;

-- Refuses rows of closed owners among `owner_ids`. The trigger functions below call it for whoever writes, so that no
-- code, and no change by hand in SQL, can forget it.
create function refuse_closed_owners(owner_ids bigint[]) returns void
language plpgsql set search_path from current as $$
declare
  closed bigint;
begin
  -- The look below must come after the lock, in a snapshot of its own.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'owners are given at isolation level read committed only'
      using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock_shared('closed_owner'::regclass::oid::integer, locks.lock)
     from (select distinct owner_lock(owner) as lock from unnest(owner_ids) as owner order by 1) as locks;
  select min(c.owner_id) into closed from closed_owner c where c.owner_id = any (owner_ids);
  if closed is not null then
    raise exception 'owner % is closed', closed
      using errcode = 'check_violation', constraint = 'cluster_owner_open', table = 'cluster';
  end if;
end $$;

create function cluster_added() returns trigger language plpgsql set search_path from current as $$
begin
  perform refuse_closed_owners(array(select distinct owner_id from changed));
  return null;
end $$;
create trigger cluster_added after insert on cluster referencing new table as changed
  for each statement execute function cluster_added();

create function cluster_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from was full join now using (id) where was.id is null or now.id is null or was.uid <> now.uid) then
    raise exception 'a cluster keeps its id and its uid'
      using errcode = 'check_violation', constraint = 'cluster_keeps_its_identity', table = 'cluster';
  end if;
  perform refuse_closed_owners(moved.owner_ids)
     from (select array(select distinct now.owner_id from was join now using (id) where was.owner_id <> now.owner_id))
       as moved (owner_ids)
    where cardinality(moved.owner_ids) > 0;
  return null;
end $$;
create trigger cluster_changed after update on cluster referencing old table as was new table as now
  for each statement execute function cluster_changed();
