-- Usage (open-points 7.3): while a metered object consumes the same amount under the same terms. Segments follow from
-- the versions of the object and from the contracts and licences of its cluster. They do not overlap, and end at the
-- borders of UTC months at the latest, so a month is one range of the index (ADR 0120).
create table usage_segment (
  metered_id bigint not null references metered_object,
  -- Microseconds since 1970.
  from_us bigint not null,
  to_us bigint not null,
  -- First day of the UTC month.
  month date not null,
  owner_id bigint not null,
  product text not null,
  -- Billionths of a core, and of a byte.
  cpu numeric(38, 0) not null,
  memory numeric(38, 0) not null,
  -- 0: outside any contract.
  contract_id bigint not null,
  -- `prod`, `nonProd`, `free`; `none`: neither contract nor trial.
  class text not null,
  mode text not null,

  constraint usage_segment_pkey primary key (metered_id, from_us),
  constraint usage_segment_lasts check (to_us > from_us)
);
create index usage_segment_of_month on usage_segment (product, month, owner_id);
