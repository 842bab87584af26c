-- Changes that a next version may make to a schema in use (ADR 0039): columns with a default, a column that a trigger
-- fills for older code, a table whose rows are deleted with their team, an index.
alter table team add column label text not null default '';
alter table team add column name_length integer;

create function team_name_length() returns trigger language plpgsql set search_path from current as $$
begin
  new.name_length := length(new.name);
  return new;
end $$;
create trigger team_name_length before insert or update of name on team
  for each row execute function team_name_length();

create table team_note (
  team_id bigint primary key references team (id) on delete cascade,
  note text not null
);
create index team_by_label on team (organization_id, label);
