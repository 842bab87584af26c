-- Events of usage for webhooks (ADR 0270).
-- include: ../../../libs/facts/sql/event-outbox.sql

-- Generated months that are final (open-points 7.2), each noted once.
create table final_month (
  -- First day of the UTC month.
  month date primary key,
  noted_at timestamptz not null default now()
);

create function note_final_month() returns trigger language plpgsql set search_path from current as $$
declare
  told text := to_char(new.month, 'YYYY-MM');
begin
  perform note_event('usage.month_final', 'usage:' || told, null, jsonb_build_object('month', told));
  return null;
end $$;
create trigger note_final_month after insert on final_month for each row execute function note_final_month();
