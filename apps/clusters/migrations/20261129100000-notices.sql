-- Loops of this service are woken by changes and need not poll.
-- include: ../../../libs/postgres/sql/notices.sql

-- include: ../../../libs/facts/sql/fact-notices.sql

-- include: ../../../libs/facts/sql/event-notices.sql
