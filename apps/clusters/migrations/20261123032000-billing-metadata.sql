-- What annotations of a client organization say to billing (open-points 4.1): published, as long as the row is there.
alter table client_cluster
  -- Annotations that begin with `client.` and the domain of labels.
  add column billing_metadata jsonb not null default '{}';

-- Of the usual domain; a client organization with another one has it from its next cluster on.
update client_cluster set billing_metadata = coalesce((
  select jsonb_object_agg(key, value) from json_each_text(settings -> 'annotations')
   where starts_with(key, 'client.platform.dev/')
), '{}');

create function publish_client_cluster(published client_cluster) returns void
language sql set search_path from current as $$
  select publish_fact('client_cluster', published.id::text, jsonb_build_object(
           'id', published.id, 'organizationId', client.organization_id, 'clusterUid', published.uid,
           'metadata', published.billing_metadata))
    from client_organization client
   where client.id = published.client_id and client.organization_id is not null
$$;

create function publish_changed_client_cluster() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform publish_fact('client_cluster', old.id::text, null);
  else
    perform publish_client_cluster(new);
  end if;
  return null;
end $$;
create trigger publish_client_cluster after insert or update or delete on client_cluster for each row
  execute function publish_changed_client_cluster();

-- Rows are published once there is an account.
create function publish_created_client() returns trigger language plpgsql set search_path from current as $$
begin
  perform publish_client_cluster(cluster) from client_cluster cluster where client_id = new.id;
  return null;
end $$;
create trigger publish_created_client after update of organization_id on client_organization for each row
  execute function publish_created_client();

select publish_client_cluster(cluster) from client_cluster cluster;
