-- A cluster may be imported by several accounts: each import is an object of its own. UID and name are unique per owner
-- (open-points 4.4, 5.7).
-- include: ../../../libs/owners/sql/owned-rows.sql

drop trigger cluster_added on cluster;
drop trigger cluster_changed on cluster;
drop function cluster_added();
drop function cluster_changed();
drop function refuse_closed_owners(bigint[]);
call guard_owned_rows('cluster');

-- Names could be repeated so far: the oldest cluster keeps its name.
update cluster as younger set name = left(younger.name, 80) || '-' || younger.id
 where exists (select from cluster as older
                where older.owner_id = younger.owner_id and older.name = younger.name and older.id < younger.id);

alter table cluster
  drop constraint cluster_uid,
  add constraint cluster_key_of_owner unique (owner_id, uid),
  add constraint cluster_name_of_owner unique (owner_id, name);
create index cluster_by_uid on cluster (uid);
