-- Marketplace subscriptions that contracts were made for (open-points 11.2). A row stays: contracts are made once for
-- each subscription, and never after they were revoked, whatever order the calls arrive in.
create table marketplace_subscription (
  id text primary key,
  made_at timestamptz,
  revoked_at timestamptz,

  constraint marketplace_subscription_id check (length(id) between 1 and 64)
);

alter table contract add column subscription_id text references marketplace_subscription;
create index contract_of_subscription on contract (subscription_id, id) where subscription_id is not null;
