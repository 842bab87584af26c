-- A new organization waits as a whole. So one that is not all to be written has had a fence, and where the engine holds
-- none it has lost it (authorization.md S1).
create or replace function organization_came_or_went() returns trigger language plpgsql set search_path from current as $$
begin
  insert into projection_pending (organization_id, unit, touches) select id, 'all', null from changed order by id;
  return null;
end $$;

-- The roles of a team. Who is given a role whose pairs wait to be written waits for them too.
create or replace function team_role_changed() returns trigger language plpgsql set search_path from current as $$
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
  if tg_op = 'INSERT' then
    insert into projection_pending (organization_id, unit, touches)
    select c.organization_id, 'role:' || c.role_id, array_agg(c.team_id order by c.team_id)
      from changed c
     where exists (
             select from projection_pending waiting
              where waiting.organization_id = c.organization_id and waiting.unit = 'role:' || c.role_id
           )
     group by c.organization_id, c.role_id
     order by c.role_id;
  end if;
  return null;
end $$;
