-- The fence that the last settle of an organization wrote to the authorization engine (authorization.md S4), so that the
-- next one need not ask for it. Only a note: the engine refuses a Write that rests on a fence which is no longer its own.
-- No foreign key: the row of an organization may go while its units are still being written.
create table noted_fence (
  organization_id bigint primary key,
  revision uuid not null
);
