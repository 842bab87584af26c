-- The newest deletion of an account that this service has heard of (authorization.md W5). Each has a mark, and a later
-- one has a greater mark. So a CloseOwner or ReopenOwner that arrives late changes nothing. The rows stay.
create table if not exists owner_mark (
  owner_id bigint primary key,
  mark bigint not null
);
