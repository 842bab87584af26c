-- Events of imported clusters for webhooks (ADR 0270).
-- include: ../../../libs/facts/sql/event-outbox.sql

-- When the cluster was noted as lost; null: it is not lost.
alter table cluster add column lost_at timestamptz;

create function note_cluster() returns trigger language plpgsql set search_path from current as $$
declare
  told cluster := coalesce(new, old);
begin
  perform note_event(
    case tg_op when 'INSERT' then 'cluster.imported' when 'DELETE' then 'cluster.removed' else 'cluster.lost' end,
    'cluster:' || told.id, told.owner_id, jsonb_build_object(
      'clusterID', told.id, 'clusterUID', told.uid, 'name', told.name, 'displayName', told.display_name,
      'provider', told.provider));
  return null;
end $$;
create trigger note_cluster after insert or delete on cluster for each row execute function note_cluster();
create trigger note_cluster_lost after update of lost_at on cluster for each row
  when (old.lost_at is null and new.lost_at is not null) execute function note_cluster();
