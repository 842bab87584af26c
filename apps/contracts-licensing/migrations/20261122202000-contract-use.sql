-- How much of their quotas of usage contracts have used, fed by facts of billing-dashboard (ADR 0101, 0124).
create table contract_use (
  contract_id bigint primary key,
  -- The quota that was compared with; what is here counts only while the contract has this one.
  metric text not null,
  quota_limit double precision not null,
  -- UTC: `2026-11`
  month text not null,
  used double precision not null,
  -- Rounded down; 100 at most.
  percent integer not null
);
