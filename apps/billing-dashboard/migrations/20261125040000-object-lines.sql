-- What views show of each object, as JSON: to make it for 100,000 objects at each view would take a third of a second
-- (ADR 0156). JSON has no tabs and line ends of its own, so they can part it.

-- The JSON of a text depends on nothing else.
create function json_text(value text) returns text language sql immutable strict parallel safe
  return to_json(value)::text;

alter table metered_object add column line text not null generated always as (
  json_text(object_uid) || E'\t"group":' || json_text(api_group) || ',"kind":' || json_text(kind)
  || ',"name":' || json_text(name) || ',"namespace":' || json_text(namespace) || E'\t' || json_text(namespace_uid)
) stored;
