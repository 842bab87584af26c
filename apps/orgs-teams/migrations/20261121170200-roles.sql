-- Custom roles and the teams they are assigned to (open-points 2.6, 2.7).
create table role (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  organization_id bigint not null references organization (id) on delete cascade,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),

  constraint role_id_organization unique (id, organization_id),
  constraint role_name_form check (length(name) between 1 and 100 and name = btrim(name)),
  constraint role_description check (length(description) <= 255)
);
create unique index role_name on role (organization_id, casefold(name collate pg_unicode_fast));
create index role_of_organization on role (organization_id, id);

create table role_permission (
  role_id bigint not null,
  organization_id bigint not null,
  namespace text not null,
  action text not null,

  primary key (role_id, namespace, action),
  constraint role_permission_role foreign key (role_id, organization_id) references role (id, organization_id) on delete cascade
);

create table team_role (
  role_id bigint not null,
  team_id bigint not null,
  organization_id bigint not null,

  primary key (role_id, team_id),
  constraint team_role_role foreign key (role_id, organization_id) references role (id, organization_id) on delete cascade,
  constraint team_role_team foreign key (team_id, organization_id) references team (id, organization_id) on delete cascade
);
create index team_role_of_team on team_role (team_id, role_id);

create trigger role_permission_comes_and_goes before update or truncate on role_permission
  for each statement execute function rows_come_and_go();
create trigger team_role_comes_and_goes before update or truncate on team_role
  for each statement execute function rows_come_and_go();
