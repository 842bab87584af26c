-- When clusters last reported, by the account under which they report: fed by facts of billing-dashboard (ADR 0155).
create table cluster_contact (
  owner_id bigint not null,
  cluster_uid uuid not null,
  last_at timestamptz not null,
  primary key (owner_id, cluster_uid)
);
