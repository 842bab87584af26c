-- Other processes keep who owns a cluster in memory, under leases (docs/rules/leases.md L3).
-- include: ../../../libs/leases/sql/leases.sql

create function lease_cluster_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(select distinct 'cluster/' || uid from changed));
  return null;
end $$;
create trigger lease_cluster_added after insert on cluster referencing new table as changed
  for each statement execute function lease_cluster_changed();
create trigger lease_cluster_removed after delete on cluster referencing old table as changed
  for each statement execute function lease_cluster_changed();

create trigger lease_cluster_emptied after truncate on cluster
  for each statement execute function note_everything_changed();

create function lease_cluster_updated() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    with old as (select id, uid, owner_id, name from was), new as (select id, uid, owner_id, name from now)
    select distinct 'cluster/' || uid from ((table old except table new) union all (table new except table old)) changed
  ));
  return null;
end $$;
create trigger lease_cluster_updated after update on cluster referencing old table as was new table as now
  for each statement execute function lease_cluster_updated();
