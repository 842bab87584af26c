-- Wakes what hands over events (libs/facts/sql/event-notices.sql, ADR 0284).
create or replace trigger event_notice after insert on event_outbox
  for each row execute function notify_schema('events');
