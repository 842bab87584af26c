-- When clusters last reported, for the services that show how they are (open-points 8.2, ADR 0155).
create function publish_cluster_contact() returns trigger language plpgsql set search_path from current as $$
declare
  contact_key text := concat(new.owner_id, '/', new.cluster_uid);
  -- The end of the minute: the fact changes at most once a minute, and no contact counts for less than its 10 minutes.
  minute_end timestamptz := date_trunc('minute', new.last_received_at) + interval '1 minute';
begin
  -- Under another licence or product the cluster may have reported later.
  if not exists (
    select from fact
     where kind = 'cluster_contact' and key = contact_key and (value ->> 'lastAt')::timestamptz >= minute_end
  ) then
    perform publish_fact('cluster_contact', contact_key, jsonb_build_object(
      'ownerId', new.owner_id, 'clusterUid', new.cluster_uid, 'lastAt', minute_end
    ));
  end if;
  return null;
end $$;
create trigger publish_cluster_contact after insert or update on product_contact for each row
  execute function publish_cluster_contact();

-- For the contacts that are there.
update product_contact set last_received_at = last_received_at;
