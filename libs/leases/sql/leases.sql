-- Sessions of holders, and changes that holders do not know yet (docs/rules/leases.md L3, L4).
create table lease_session (
  id uuid primary key,
  -- A hint that its holder is gone, never a proof.
  expires_at timestamptz not null,
  lifetime_ms integer not null,
  -- Cannot be renewed any more. The row stays until somebody has waited one whole lifetime.
  is_revoked boolean not null default false
);

-- Changes that holders do not know yet. A process deletes a row after it has told all holders.
create table lease_change (
  id bigserial primary key,
  key text not null,
  created_at timestamptz not null default now()
);

-- Many keys at once are everything: a message has a limit, and holders read again quickly.
--
-- A writer that tells nobody is a process of a version before these leases, or a person with psql. No lease may outlive its
-- transaction: it ends all sessions, keeps others from being added or renewed, and waits until all leases have ended.
create function note_lease_changes(keys text[]) returns void language plpgsql set search_path from current as $$
declare
  longest integer;
begin
  if cardinality(keys) = 0 then return; end if;
  insert into lease_change (key)
  select * from unnest(case when cardinality(keys) > 100 then array['*'] else keys end);
  if current_setting('platform.leases', true) = 'told' then return; end if;
  lock table lease_session in share row exclusive mode;
  select max(lifetime_ms) into longest from lease_session;
  if longest is null then return; end if;
  update lease_session set is_revoked = true;
  perform pg_sleep(longest / 1000.0);
end $$;

create function note_everything_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array['*']);
  return null;
end $$;
