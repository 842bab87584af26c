-- What client organizations say to billing about a cluster: rows of clusters (open-points 4.1). They stay, because reports
-- name namespaces until six months after their deletion.
create table client_cluster (
  cluster_uid uuid not null,
  organization_id bigint not null,
  metadata jsonb not null,
  primary key (cluster_uid, organization_id)
);
