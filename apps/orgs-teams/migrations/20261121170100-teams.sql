-- Teams and who is in them (open-points 3.3, 3.5). A user is a member of an organization exactly while in one of its
-- teams, so membership has no table of its own.
create table team (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint not null references organization (id) on delete cascade,
  name text not null,
  description text not null default '',
  type text not null default 'kubernetes',
  permission text not null,
  is_owners boolean not null default false,
  -- Names the state of what the team may do (authorization.md, invariant 3).
  revision uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),

  -- Lets other tables prove that what they join is of one organization.
  constraint team_id_organization unique (id, organization_id),
  constraint team_type check (type = 'kubernetes'),
  constraint team_permission check (permission in ('none', 'read', 'write', 'admin', 'owner', 'custom')),
  constraint team_owners_own check (is_owners = (permission = 'owner')),
  constraint team_name_form check (length(name) <= 50 and name ~ '^[A-Za-z0-9_.-]+( [A-Za-z0-9_.-]+)*$'),
  constraint team_name_reserved check (is_owners = (lower(name) = 'owners') and lower(name) <> 'new'),
  constraint team_description check (length(description) <= 255)
);
create unique index team_name on team (organization_id, lower(name collate "C"));
create unique index team_owners on team (organization_id) where is_owners;
create index team_of_organization on team (organization_id, id);

create table team_member (
  team_id bigint not null,
  user_id bigint not null,
  organization_id bigint not null,
  user_kind text not null default 'person',
  created_at timestamptz not null default now(),

  primary key (team_id, user_id),
  constraint team_member_team foreign key (team_id, organization_id) references team (id, organization_id) on delete cascade,
  -- Not deleted with the user: who deletes one must look at what he owns first.
  constraint team_member_user foreign key (user_id, user_kind) references account (id, kind),
  -- Neither organizations nor system admins are ever in a team (open-points 1.10).
  constraint team_member_user_kind check (user_kind = 'person')
);
create index team_member_of_user on team_member (user_id, organization_id, team_id);
create index team_member_of_organization on team_member (organization_id, user_id);

-- Memberships shown to everybody; all others are private (open-points 3.3).
create table public_membership (
  organization_id bigint not null references organization (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  primary key (organization_id, user_id)
);
create index public_membership_of_user on public_membership (user_id);

-- These rows come and go; changed in place, they would slip past the triggers that follow them.
create function rows_come_and_go() returns trigger language plpgsql set search_path from current as $$
begin
  raise exception 'rows of % are inserted and deleted, never changed in place or truncated', tg_table_name
    using errcode = 'check_violation', constraint = 'rows_come_and_go', table = tg_table_name;
end $$;
create trigger team_member_comes_and_goes before update or truncate on team_member
  for each statement execute function rows_come_and_go();

-- An organization that has an owner keeps one: the last member of Owners can go only with the organization. Whoever
-- changes these members holds the team's row, so what is seen here is what will be committed.
-- A membership that ends takes its visibility with it.
create function membership_ended() returns trigger language plpgsql set search_path from current as $$
declare
  ownerless bigint;
begin
  select t.organization_id into ownerless
    from team t
   where t.is_owners
     and t.id in (select team_id from ended)
     and not exists (select from team_member m where m.team_id = t.id)
   limit 1;
  if ownerless is not null then
    raise exception 'organization % would have no owner', ownerless
      using errcode = 'check_violation', constraint = 'organization_keeps_an_owner', table = 'team_member';
  end if;
  delete from public_membership p
   using (select distinct organization_id, user_id from ended) e
   where p.organization_id = e.organization_id
     and p.user_id = e.user_id
     and not exists (
       select from team_member m where m.organization_id = e.organization_id and m.user_id = e.user_id
     );
  return null;
end $$;
create trigger membership_ended after delete on team_member referencing old table as ended
  for each statement execute function membership_ended();

-- Only members have a membership to show.
create function public_membership_needs_membership() returns trigger language plpgsql set search_path from current as $$
begin
  if not exists (
    select from team_member m where m.organization_id = new.organization_id and m.user_id = new.user_id
  ) then
    raise exception 'account % is no member of organization %', new.user_id, new.organization_id
      using errcode = 'check_violation', constraint = 'public_membership_needs_membership', table = 'public_membership';
  end if;
  return new;
end $$;
create trigger public_membership_needs_membership before insert or update on public_membership
  for each row execute function public_membership_needs_membership();
