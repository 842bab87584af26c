-- Wakes the streams of facts (libs/facts/sql/fact-notices.sql, ADR 0284).
create or replace trigger fact_notice after insert or update on fact
  for each row execute function notify_schema('facts');
