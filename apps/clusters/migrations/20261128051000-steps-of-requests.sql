-- A repeated request finds what it has made before (open-points 18.8).
alter table client_organization
  -- The request that creates it; null where it was sent without a key.
  add column request uuid unique;
alter table client_cluster
  -- The request that added it last.
  add column request uuid;
