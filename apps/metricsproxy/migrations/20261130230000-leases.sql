-- Replicas keep the backends of queries in memory, under leases (docs/rules/leases.md L3).
-- include: ../../../libs/leases/sql/leases.sql

create function lease_backend_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(select distinct 'backend/' || identity from changed));
  return null;
end $$;
create trigger lease_backend_added after insert on backend referencing new table as changed
  for each statement execute function lease_backend_changed();
create trigger lease_backend_removed after delete on backend referencing old table as changed
  for each statement execute function lease_backend_changed();

create trigger lease_backend_emptied after truncate on backend
  for each statement execute function note_everything_changed();

-- A process that works on a backend updates `lease` and `leased_until` again and again.
create function lease_backend_updated() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    with old as (
      select id, identity, flavor, present, confirmed, revision, registered_at, sealed_by, sealed_secret from was
    ), new as (
      select id, identity, flavor, present, confirmed, revision, registered_at, sealed_by, sealed_secret from now
    )
    select distinct 'backend/' || identity
      from ((table old except table new) union all (table new except table old)) changed
  ));
  return null;
end $$;
create trigger lease_backend_updated after update on backend referencing old table as was new table as now
  for each statement execute function lease_backend_updated();
