-- Events of contracts and licences for webhooks (ADR 0270).
-- include: ../../../libs/facts/sql/event-outbox.sql

-- Without the addresses of people.
create function note_contract(kind text, told contract, more jsonb default '{}') returns void
language sql set search_path from current as $$
  select note_event(kind, 'contract:' || told.id, told.owner_id, jsonb_build_object(
    'contractID', told.id, 'name', told.name, 'product', told.product,
    'start', event_time(told.starts_at), 'end', event_time(told.ends_at)) || more)
$$;

-- A contract that is deleted counts as revoked (open-points 13.5).
create function note_contract_change() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    perform note_contract('contract.created', new);
  elsif tg_op = 'DELETE' then
    if old.revoked_at is null then
      perform note_contract('contract.revoked', old);
    end if;
  else
    if new.ends_at <> old.ends_at then
      perform note_contract('contract.extended', new);
    end if;
    if old.revoked_at is null and new.revoked_at is not null then
      perform note_contract('contract.revoked', new);
    end if;
  end if;
  return null;
end $$;
create trigger note_contract_change after insert or delete or update of ends_at, revoked_at on contract for each row
  execute function note_contract_change();

-- What is noted of a contract once: each end and each threshold of a month has one event.
create function note_contract_notice() returns trigger language plpgsql set search_path from current as $$
declare
  told contract;
  given text := split_part(new.event, ' ', 2);
begin
  select * into told from contract where id = new.contract_id;
  if new.event like 'contract.ending %' then
    perform note_contract('contract.ending', told, jsonb_build_object('daysLeft', given::integer));
  elsif new.event like 'quota.threshold_reached %' then
    perform note_contract('quota.threshold_reached', told, jsonb_build_object(
      'threshold', given::integer, 'metric', told.quota_metric, 'limit', told.quota_limit, 'month', new.period));
  end if;
  return null;
end $$;
create trigger note_contract_notice after insert on contract_notice for each row
  execute function note_contract_notice();

-- When the end of a licence was noted; null: it was not.
alter table licence add column end_noted_at timestamptz;
create index licence_ending on licence (not_after) where end_noted_at is null;

-- The serial has 63 bits, more than a number in JSON: it is a text. A licence that was not issued here has no contract.
create function note_licence() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' and new.contract_id is null then
    return null;
  end if;
  perform note_event(
    case tg_op when 'INSERT' then 'license.issued' else 'license.ending' end,
    'license:' || new.id, new.owner_id, jsonb_strip_nulls(jsonb_build_object(
      'licenseID', new.id::text, 'clusterUID', new.cluster_uid, 'contractID', new.contract_id, 'plan', new.plan,
      'features', new.features, 'start', event_time(new.not_before), 'end', event_time(new.not_after))));
  return null;
end $$;
create trigger note_licence_issued after insert on licence for each row execute function note_licence();
create trigger note_licence_ending after update of end_noted_at on licence for each row
  when (old.end_noted_at is null and new.end_noted_at is not null) execute function note_licence();
