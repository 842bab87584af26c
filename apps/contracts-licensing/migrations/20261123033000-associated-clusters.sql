-- The clusters of an owner's contracts, each once, with the times at which one of these contracts is active (open-points
-- 5.2). The list of them and its length are read from this table alone: found by joining contracts and bindings, they
-- cost a large owner the whole join for each page (ADR 0149).
create table associated_cluster (
  owner_id bigint not null,
  cluster_uid uuid not null,
  -- Of contracts that are not revoked. Grows with the number of separate times, so no index may have it.
  active tstzmultirange not null,

  primary key (owner_id, cluster_uid)
);

-- The tables that are followed, in the order in which changes lock them.
lock table contract, contract_cluster in share row exclusive mode;

-- Brings pairs of an owner and a cluster up to date. Pairs may repeat. They are few in a large table: other joins than
-- by its index would read it whole.
create function associate_clusters(owner_ids bigint[], cluster_uids uuid[]) returns void
language plpgsql set search_path from current set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- Locks the pairs, in one order. The statement below then sees what others have committed for them meanwhile.
  insert into associated_cluster as known (owner_id, cluster_uid, active)
  select distinct pair.owner_id, pair.cluster_uid, tstzmultirange()
    from unnest(owner_ids, cluster_uids) as pair (owner_id, cluster_uid)
   order by 1, 2
      on conflict (owner_id, cluster_uid) do update set active = known.active where false;

  merge into associated_cluster known
  using (
    select pair.owner_id, pair.cluster_uid, (
             select range_agg(tstzrange(contract.starts_at, contract.ends_at))
               from contract_cluster binding
              cross join lateral (select * from contract where contract.id = binding.contract_id offset 0) contract
              where binding.cluster_uid = pair.cluster_uid and contract.owner_id = pair.owner_id
                and contract.revoked_at is null
           ) as active
      from (select distinct * from unnest(owner_ids, cluster_uids)) as pair (owner_id, cluster_uid)
  ) given on known.owner_id = given.owner_id and known.cluster_uid = given.cluster_uid
  when matched and given.active is null then delete
  when matched and known.active <> given.active then update set active = given.active;
end $$;

create function bindings_changed() returns trigger language plpgsql set search_path from current as $$
begin
  -- Changes lock the contract first; SQL by hand may not. Its owner and times must not change unseen.
  perform from contract where id = any (array(select contract_id from changed)) order by id for share;
  perform associate_clusters(array_agg(contract.owner_id), array_agg(changed.cluster_uid))
     from changed
    cross join lateral (select owner_id from contract where id = changed.contract_id offset 0) contract
   having count(*) > 0;
  return null;
end $$;
create trigger bindings_added after insert on contract_cluster referencing new table as changed
  for each statement execute function bindings_changed();
create trigger bindings_removed after delete on contract_cluster referencing old table as changed
  for each statement execute function bindings_changed();

create function binding_stays() returns trigger language plpgsql set search_path from current as $$
begin
  raise exception 'bindings are inserted and deleted, never moved or truncated'
    using errcode = 'check_violation', constraint = 'contract_cluster_stays', table = tg_table_name;
end $$;
create trigger binding_stays before update of contract_id, cluster_uid or truncate on contract_cluster
  for each statement execute function binding_stays();

create function contract_terms_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform associate_clusters(array_agg(owner.id), array_agg(binding.cluster_uid))
     from was join now using (id)
    cross join lateral (values (was.owner_id), (now.owner_id)) as owner (id)
    cross join lateral (select cluster_uid from contract_cluster where contract_id = now.id offset 0) binding
    where (was.owner_id, was.starts_at, was.ends_at, was.revoked_at)
          is distinct from (now.owner_id, now.starts_at, now.ends_at, now.revoked_at)
   having count(*) > 0;
  return null;
end $$;
create trigger contract_terms_changed after update on contract referencing old table as was new table as now
  for each statement execute function contract_terms_changed();

-- The bindings of a contract go before it does: whose they were is known as long as it is there.
create function contract_removed() returns trigger language plpgsql set search_path from current as $$
begin
  delete from contract_cluster where contract_id = old.id;
  return old;
end $$;
create trigger contract_removed before delete on contract for each row execute function contract_removed();

insert into associated_cluster (owner_id, cluster_uid, active)
select contract.owner_id, binding.cluster_uid, range_agg(tstzrange(contract.starts_at, contract.ends_at))
  from contract join contract_cluster binding on binding.contract_id = contract.id
 where contract.revoked_at is null
 group by 1, 2;
