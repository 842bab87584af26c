-- Client organizations (open-points 4): accounts here, work on clusters in the service `clusters`.

-- Each creation of a client organization has one outcome: what it created, or null once it was given up. So a call that
-- is repeated creates nothing more, and a call that is late creates nothing at all.
create table client_organization_creation (
  id uuid primary key,
  organization_id bigint,
  settled_at timestamptz not null default now()
);

-- Since when it is being deleted: its members can read, and change nothing (open-points 4.4).
alter table organization
  add column deleting_at timestamptz,
  add constraint organization_deleting check (deleting_at is null or org_type = 2);

create index organization_client on organization (id) where org_type = 2;
