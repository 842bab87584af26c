-- What waits to be written to the authorization engine (authorization.md, data). Append only; a settle deletes the rows
-- it has seen. No foreign key: what an organization left behind must go from the engine after its rows are gone.
create table projection_pending (
  id bigserial primary key,
  organization_id bigint not null,
  -- `team:42`, `role:9`, `assignment:9/42`, `organization:3` or `all`.
  unit text not null,
  -- The teams whose rights change with it; null: every principal of the organization.
  touches bigint[],
  created_at timestamptz not null default now(),

  constraint projection_pending_unit check (
    unit ~ '^(team:[0-9]+|role:[0-9]+|assignment:[0-9]+/[0-9]+|organization:[0-9]+|all)$'
  )
);
create index projection_pending_of_organization on projection_pending (organization_id, id);

-- Which shape the tuples have (src/projection/relations.ts). A replica that knows only an older one does not settle; a
-- migration that changes the shape raises it and adds the unit `all` to every organization.
create table projection_shape (
  single boolean primary key default true check (single),
  version integer not null
);
insert into projection_shape (version) values (1);

-- The triggers below are the only ones who add units and renew revisions (authorization.md W3): a change by hand in SQL
-- is covered too, and no code can forget it.

-- A team's right.
create function team_structure_changed() returns trigger language plpgsql set search_path from current as $$
begin
  insert into projection_pending (organization_id, unit, touches)
  select organization_id, 'team:' || id, array[id] from changed order by id;
  return null;
end $$;
create trigger team_added after insert on team referencing new table as changed
  for each statement execute function team_structure_changed();
create trigger team_removed after delete on team referencing old table as changed
  for each statement execute function team_structure_changed();

create function team_right_changed() returns trigger language plpgsql set search_path from current as $$
begin
  insert into projection_pending (organization_id, unit, touches)
  select now.organization_id, 'team:' || now.id, array[now.id]
    from was join now using (id)
   where was.permission <> now.permission
   order by now.id;
  return null;
end $$;
create trigger team_right_changed after update on team referencing old table as was new table as now
  for each statement execute function team_right_changed();

-- Done before the row is written, so that the change and the new revision are one version of it.
create function team_renew_revision() returns trigger language plpgsql set search_path from current as $$
begin
  if new.organization_id <> old.organization_id or new.is_owners <> old.is_owners then
    raise exception 'team % keeps its organization, and Owners stays Owners', old.id
      using errcode = 'check_violation', constraint = 'team_keeps_its_place', table = 'team';
  end if;
  new.revision := gen_random_uuid();
  return new;
end $$;
create trigger team_renew_revision before update on team for each row
  when (
    old.permission is distinct from new.permission
    or old.organization_id is distinct from new.organization_id
    or old.is_owners is distinct from new.is_owners
  )
  execute function team_renew_revision();

-- Pairs and assignments of one organization are changed one transaction at a time, or a pair and an assignment that
-- do not see each other would both miss the team. Whoever follows W1 holds the row already; by hand it is taken here.
create function hold_structure(organizations bigint[]) returns void language sql set search_path from current as $$
  select from account where id = any (organizations) order by id for no key update;
$$;

-- The pairs of a role: concerned are the teams it is assigned to.
create function role_permission_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform hold_structure(array(select distinct organization_id from changed));
  update team set revision = gen_random_uuid()
   where id in (select tr.team_id from team_role tr where tr.role_id in (select role_id from changed));
  insert into projection_pending (organization_id, unit, touches)
  select c.organization_id, 'role:' || c.role_id,
         array(select tr.team_id from team_role tr where tr.role_id = c.role_id order by tr.team_id)
    from (select distinct organization_id, role_id from changed) c
   order by c.role_id;
  return null;
end $$;
create trigger role_permission_added after insert on role_permission referencing new table as changed
  for each statement execute function role_permission_changed();
create trigger role_permission_removed after delete on role_permission referencing old table as changed
  for each statement execute function role_permission_changed();

-- The roles of a team.
create function team_role_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform hold_structure(array(select distinct organization_id from changed));
  if tg_op = 'INSERT' and exists (select from team t where t.is_owners and t.id in (select team_id from changed)) then
    raise exception 'Owners has no roles'
      using errcode = 'check_violation', constraint = 'team_role_not_owners', table = 'team_role';
  end if;
  update team set revision = gen_random_uuid() where id in (select team_id from changed);
  insert into projection_pending (organization_id, unit, touches)
  select organization_id, 'assignment:' || role_id || '/' || team_id, array[team_id]
    from changed order by role_id, team_id;
  return null;
end $$;
create trigger team_role_added after insert on team_role referencing new table as changed
  for each statement execute function team_role_changed();
create trigger team_role_removed after delete on team_role referencing old table as changed
  for each statement execute function team_role_changed();

-- An organization comes, or goes with all that it has in the engine.
create function organization_came_or_went() returns trigger language plpgsql set search_path from current as $$
begin
  insert into projection_pending (organization_id, unit, touches)
  select id, case tg_op when 'DELETE' then 'all' else 'organization:' || id end, null from changed order by id;
  return null;
end $$;
create trigger organization_added after insert on organization referencing new table as changed
  for each statement execute function organization_came_or_went();
create trigger organization_removed after delete on organization referencing old table as changed
  for each statement execute function organization_came_or_went();

-- Becoming or ceasing to be the administrative organization changes what everybody in it may do.
create function organization_type_changed() returns trigger language plpgsql set search_path from current as $$
declare
  concerned bigint[] := array(
    select now.id from was join now using (id) where (was.org_type = 6) <> (now.org_type = 6)
  );
begin
  if cardinality(concerned) = 0 then
    return null;
  end if;
  update account set revision = gen_random_uuid() where id = any (concerned);
  update team set revision = gen_random_uuid() where organization_id = any (concerned);
  insert into projection_pending (organization_id, unit, touches)
  select id, 'organization:' || id, null from unnest(concerned) as id order by id;
  return null;
end $$;
create trigger organization_type_changed after update on organization referencing old table as was new table as now
  for each statement execute function organization_type_changed();

-- An organization's system admin.
create function system_admin_changed() returns trigger language plpgsql set search_path from current as $$
declare
  concerned bigint[] := array(select system_admin_of from changed where system_admin_of is not null);
begin
  if cardinality(concerned) = 0 then
    return null;
  end if;
  update account set revision = gen_random_uuid() where id = any (concerned);
  insert into projection_pending (organization_id, unit, touches)
  select id, 'organization:' || id, null from unnest(concerned) as id order by id;
  return null;
end $$;
create trigger system_admin_added after insert on account referencing new table as changed
  for each statement execute function system_admin_changed();
create trigger system_admin_removed after delete on account referencing old table as changed
  for each statement execute function system_admin_changed();
