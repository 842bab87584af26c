-- Notifies the replicas of this service of a committed change, on the channel that has the name of the schema
-- (libs/postgres/sql/notices.sql, ADR 0284). A row trigger calls it with a topic; PostgreSQL sends equal notifications of
-- a transaction once. Commits that notify wait for each other, so it is not for what happens with every request.
create or replace function notify_schema() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_table_schema, tg_argv[0]);
  return null;
end $$;
