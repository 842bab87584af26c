-- How a change came, and from where.
-- include: ../../../libs/writes/sql/audit-origin.sql
update audit set via = case when actor_id is not null then 'token' when actor = 'operator' then 'cli' else 'service' end;
