-- Standalone organizations, which belong to nobody until they are claimed (open-points 11.5).
create table claim (
  id text primary key,
  organization_id bigint not null unique references organization (id) on delete cascade,
  -- Stays once it is true.
  claimable boolean not null default false,
  claimed_at timestamptz,

  constraint claim_id_form check (id ~ '^[A-Z0-9]{26}$'),
  constraint claim_claimed check (claimed_at is null or claimable)
);
create index claim_open on claim (organization_id) where claimable and claimed_at is null;
