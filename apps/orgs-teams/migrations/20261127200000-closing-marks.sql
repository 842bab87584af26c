-- Which deletion of an account a call to another service belongs to (authorization.md W5). It only grows: microseconds
-- of the clock, or one more than before where the clock was set back. It stays when the deletion is given up.
alter table account
  add column closing_mark bigint not null default 0;

alter table organization
  -- The deletion of a client organization, as `clusters` names it, and how it ended. Its calls may overlap.
  add column deletion text,
  add column deletion_outcome text,
  add constraint organization_deletion_outcome check (deletion_outcome in ('certain', 'refused'));
