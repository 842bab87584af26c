-- What the registry knows of an imported cluster (operator.md §3, open-points 8.2).
alter table cluster
  add column provider text not null default 'Generic',
  -- Empty while unknown.
  add column kubernetes_version text not null default '',
  add column node_count integer not null default 0,
  -- It runs Open Cluster Management.
  add column hub boolean not null default false,
  -- When the platform last heard of it; null: never.
  add column last_contact_at timestamptz,
  -- The kubeconfig, sealed for this row (libs/service/src/sealing.ts); null: known by name and agent only.
  add column sealed_by text,
  add column sealed_secret bytea,

  add constraint cluster_provider check (length(provider) between 1 and 100),
  add constraint cluster_node_count check (node_count >= 0),
  add constraint cluster_kubeconfig check ((sealed_by is null) = (sealed_secret is null));

-- Facts of clusters go by id from now on, with all that the registry knows. Followers read everything again.
create or replace function cluster_fact(published cluster) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', published.id, 'uid', published.uid, 'ownerId', published.owner_id,
    'name', published.name, 'displayName', published.display_name, 'provider', published.provider,
    'kubernetesVersion', published.kubernetes_version, 'nodeCount', published.node_count, 'hub', published.hub,
    'createdAt', published.created_at, 'lastContactAt', published.last_contact_at
  )
$$;

create or replace function publish_cluster() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform publish_fact('cluster', old.id::text, null);
  else
    perform publish_fact('cluster', new.id::text, cluster_fact(new));
  end if;
  return null;
end $$;

delete from fact where kind = 'cluster';
update fact_feed set epoch = gen_random_uuid();
select publish_fact('cluster', id::text, cluster_fact(cluster)) from cluster;
