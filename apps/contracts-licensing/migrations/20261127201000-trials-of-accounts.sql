-- A trial belongs to the account that asked: what a stranger does with the UUID of a cluster does not count against the
-- account that holds it (open-points 6.5, ADR 0179). The table trial is still written for replicas of the version before.
create table account_trial (
  owner_id bigint not null,
  cluster_uid uuid not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (owner_id, cluster_uid)
);
create index account_trial_of_cluster on account_trial (cluster_uid);

-- Those that are there are of all accounts that had a licence of them.
insert into account_trial (owner_id, cluster_uid, started_at, ends_at)
select distinct licence.owner_id, trial.cluster_uid, trial.started_at, trial.ends_at
  from trial join licence on licence.cluster_uid = trial.cluster_uid and licence.contract_id = 0;
