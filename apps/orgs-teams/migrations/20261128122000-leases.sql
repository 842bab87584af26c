-- Kept answers and who keeps them (leases.md L3, L4).
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
create function note_lease_changes(keys text[]) returns void language sql set search_path from current as $$
  insert into lease_change (key)
  select * from unnest(case when cardinality(keys) > 100 then array['*'] else keys end);
$$;

create function lease_token_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(select 'token/' || id from was));
  return null;
end $$;
create trigger lease_token_removed after delete on access_token referencing old table as was
  for each statement execute function lease_token_changed();

-- When it was last used changes nobody's rights, and it is written often.
create function lease_token_updated() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    select 'token/' || was.id from was join now using (id)
     where to_jsonb(was) - 'last_used_at' <> to_jsonb(now) - 'last_used_at'
  ));
  return null;
end $$;
create trigger lease_token_updated after update on access_token referencing old table as was new table as now
  for each statement execute function lease_token_updated();

create function lease_account_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    select case kind when 'organization' then 'organization/' else 'account/' end || id from was
  ));
  return null;
end $$;
create trigger lease_account_updated after update on account referencing old table as was
  for each statement execute function lease_account_changed();
create trigger lease_account_removed after delete on account referencing old table as was
  for each statement execute function lease_account_changed();

create function lease_organization_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(select 'organization/' || id from was));
  return null;
end $$;
create trigger lease_organization_updated after update on organization referencing old table as was
  for each statement execute function lease_organization_changed();
create trigger lease_organization_removed after delete on organization referencing old table as was
  for each statement execute function lease_organization_changed();

create function lease_team_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(select distinct 'organization/' || organization_id from was));
  return null;
end $$;
create trigger lease_team_updated after update on team referencing old table as was
  for each statement execute function lease_team_changed();
create trigger lease_team_removed after delete on team referencing old table as was
  for each statement execute function lease_team_changed();

create function lease_membership_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    select distinct 'membership/' || user_id || '/' || organization_id from changed
  ));
  return null;
end $$;
create trigger lease_membership_added after insert on team_member referencing new table as changed
  for each statement execute function lease_membership_changed();
create trigger lease_membership_removed after delete on team_member referencing old table as changed
  for each statement execute function lease_membership_changed();
create function lease_membership_moved() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array(
    select distinct 'membership/' || user_id || '/' || organization_id
      from (select user_id, organization_id from was union select user_id, organization_id from now) moved
  ));
  return null;
end $$;
create trigger lease_membership_moved after update on team_member referencing old table as was new table as now
  for each statement execute function lease_membership_moved();

-- A statement without rows has no transition tables to speak of.
create function lease_everything_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_lease_changes(array['*']);
  return null;
end $$;
create trigger lease_tokens_gone after truncate on access_token
  for each statement execute function lease_everything_changed();
create trigger lease_accounts_gone after truncate on account
  for each statement execute function lease_everything_changed();
create trigger lease_organizations_gone after truncate on organization
  for each statement execute function lease_everything_changed();
create trigger lease_teams_gone after truncate on team
  for each statement execute function lease_everything_changed();
create trigger lease_members_gone after truncate on team_member
  for each statement execute function lease_everything_changed();
