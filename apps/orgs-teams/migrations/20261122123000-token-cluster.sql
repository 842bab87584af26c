-- The cluster that a token was made for: a licence asked for with it is for that cluster (open-points 6.2).
alter table access_token add column cluster_id uuid;
