-- Who recorded what.
-- include: ../../../libs/writes/sql/audit.sql

-- Makes "the same text" an overlap of ranges, which GiST compares without an extension.
create type text_range as range (subtype = text, collation = "C");

-- Times when systems were out (open-points 8.5).
create table outage (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- 0: no account in particular.
  account_id bigint not null,
  -- Any text; empty: no cluster in particular.
  cluster_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  tags text[] not null,
  comments text not null,
  created_at timestamptz not null default now(),

  constraint outage_lasts check (ends_at > starts_at),
  constraint outage_overlaps exclude using gist (
    int8range(account_id, account_id, '[]') with &&,
    text_range(cluster_id, cluster_id, '[]') with &&,
    tstzrange(starts_at, ends_at) with &&
  )
);
create index outage_by_end on outage (ends_at);
