-- What a report of namespaces says of each database (open-points 7.4), as texts: to make it of all versions of 100,000
-- objects at each report would take ten seconds (ADR 0254). An object without a row has its text made when it is read.
create table database_report (
  metered_id bigint primary key references metered_object on delete cascade,
  -- Microseconds since 1970.
  last_at bigint not null,
  -- JSON: what the latest event says of the namespace, and whose it is.
  namespace text not null,
  -- JSON, with the moment since which an age counts, in seconds between tabs, in place of the age: JSON has no tabs.
  report text not null,
  -- When the first of the deleted volumes in it was deleted, in seconds since 1970: 6 months later the text is stale.
  first_deletion bigint
);

-- What a text is made of has changed: the text goes in the same transaction, whoever writes, so no writer can forget it.
create function forget_report_of_version() returns trigger language plpgsql set search_path from current as $$
begin
  delete from database_report where metered_id = new.metered_id;
  return null;
end $$;
create trigger object_version_is_new after insert on object_version for each row
  when (new.metered_id is not null) execute function forget_report_of_version();
-- A repeat changes neither: most events are repeats.
create trigger object_version_is_changed after update on object_version for each row
  when (
    new.metered_id is not null
    and (old.metered_id, old.at) is distinct from (new.metered_id, new.at)
  )
  execute function forget_report_of_version();

create function forget_report_of_object() returns trigger language plpgsql set search_path from current as $$
begin
  delete from database_report where metered_id = new.id;
  return null;
end $$;
create trigger metered_object_is_changed after update on metered_object for each row
  when (
    (old.api_group, old.kind, old.name, old.namespace, old.namespace_uid, old.created_at, old.deleted_at)
    is distinct from
    (new.api_group, new.kind, new.name, new.namespace, new.namespace_uid, new.created_at, new.deleted_at)
  )
  execute function forget_report_of_object();

-- Texts of objects that are there are made with their next renewal, which these notes bring about.
insert into changed_terms (owner_id, cluster_uid, product)
select distinct object.owner_id, object.cluster_uid, object.product
  from contract
  join contract_cluster bound on bound.contract_id = contract.id
  join metered_object object on object.owner_id = contract.owner_id and object.cluster_uid = bound.cluster_uid
 where contract.enable_client_billing and contract.revoked_at is null and contract.ends_at > now()
   and bound.removed_at is null;
