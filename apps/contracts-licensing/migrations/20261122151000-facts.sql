-- Contracts, bindings and licences for billing (ADR 0101).
-- include: ../../../libs/facts/sql/publish.sql

create function contract_fact(published contract) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', published.id, 'ownerId', published.owner_id, 'name', published.name, 'product', published.product,
    'start', published.starts_at, 'end', published.ends_at, 'revokedAt', published.revoked_at, 'deletedAt', null,
    'enableClientBilling', published.enable_client_billing,
    'quota', case when published.quota_enabled
      then jsonb_build_object('metric', published.quota_metric, 'limit', published.quota_limit) end
  )
$$;

create function contract_cluster_fact(published contract_cluster) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', published.id, 'contractId', published.contract_id, 'clusterUid', published.cluster_uid, 'removedAt', null
  )
$$;

-- The serial has 63 bits, more than a number in JSON: it is a text.
create function licence_fact(published licence) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'id', published.id::text, 'ownerId', published.owner_id, 'clusterUid', published.cluster_uid,
    'contractId', published.contract_id, 'plan', published.plan, 'features', published.features,
    'notBefore', published.not_before, 'notAfter', published.not_after,
    'createdAt', published.created_at, 'registeredAt', published.registered_at
  )
$$;

-- What is deleted was used until then: its last state stays, with that moment (open-points 7.3, 13.5).
create function publish_contract() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform publish_fact('contract', old.id::text, contract_fact(old) || jsonb_build_object('deletedAt', now()));
  else
    perform publish_fact('contract', new.id::text, contract_fact(new));
  end if;
  return null;
end $$;
create trigger publish_contract after insert or update or delete on contract for each row
  execute function publish_contract();

create function publish_contract_cluster() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform publish_fact(
      'contract_cluster', old.id::text, contract_cluster_fact(old) || jsonb_build_object('removedAt', now()));
  else
    perform publish_fact('contract_cluster', new.id::text, contract_cluster_fact(new));
  end if;
  return null;
end $$;
create trigger publish_contract_cluster after insert or update or delete on contract_cluster for each row
  execute function publish_contract_cluster();

create function publish_licence() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform publish_fact('licence', old.id::text, null);
  else
    perform publish_fact('licence', new.id::text, licence_fact(new));
  end if;
  return null;
end $$;
create trigger publish_licence after insert or update or delete on licence for each row
  execute function publish_licence();

select publish_fact('contract', id::text, contract_fact(contract)) from contract;
select publish_fact('contract_cluster', id::text, contract_cluster_fact(contract_cluster)) from contract_cluster;
select publish_fact('licence', id::text, licence_fact(licence)) from licence;
