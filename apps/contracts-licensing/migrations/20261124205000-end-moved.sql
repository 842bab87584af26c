-- When the end of a contract was last changed; null: not since it was made. Reminders of an end are for moments after
-- it was set (open-points 5.1).
alter table contract add column end_moved_at timestamptz;
