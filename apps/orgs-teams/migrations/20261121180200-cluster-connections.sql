-- Owners who are to have a cluster-admin binding on each cluster of their organization (open-points 3.5): an effect,
-- kept in the transaction that causes it and carried out by the service of clusters, repeatedly, also on clusters that
-- come later. It goes with the membership, so that nobody is bound who has been removed.
create table cluster_connection (
  team_id bigint not null,
  user_id bigint not null,
  organization_id bigint not null,
  created_at timestamptz not null default now(),

  primary key (team_id, user_id),
  constraint cluster_connection_member foreign key (team_id, user_id) references team_member (team_id, user_id)
    on delete cascade
);
create index cluster_connection_of_organization on cluster_connection (organization_id, user_id);
