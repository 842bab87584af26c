-- Loops of this service are woken by changes and need not poll.
-- include: ../../../libs/postgres/sql/notices.sql

-- include: ../../../libs/facts/sql/fact-notices.sql

-- include: ../../../libs/facts/sql/event-notices.sql

-- Wakes what renews usage.
create trigger changed_terms_notice after insert on changed_terms for each row execute function notify_schema('terms');
