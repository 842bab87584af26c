-- Loops of this service are woken by changes and need not poll.
-- include: ../../../libs/postgres/sql/notices.sql

-- include: ../../../libs/facts/sql/fact-notices.sql

-- Wakes what pushes accounts to the message bus.
create trigger bus_account_notice after insert or update of revision on bus_account
  for each row when (new.told_revision < new.revision) execute function notify_schema('bus');
create trigger bus_account_removal_notice after insert on bus_account_removal
  for each row execute function notify_schema('bus');
