-- Services whose facts this one follows (libs/facts/sql/follow.sql, ADR 0101). To have all facts applied again, for
-- example because a projection gets a further column, a migration sets epoch = ''.
create table followed_source (
  source text primary key,
  epoch text not null default '',
  position text not null default '',
  kinds text[] not null default '{}',
  -- How often the facts have been read from the start, and whether the last time has come to the end.
  reading integer not null default 0,
  is_complete boolean not null default false,
  -- The replica that follows, and until when it may.
  holder uuid,
  held_until timestamptz,
  -- When everything that the source had committed was last applied.
  up_to_date_at timestamptz not null default now()
);

-- The keys that exist at the source, with the reading that saw them last.
create table followed_key (
  source text not null references followed_source (source) on delete cascade,
  kind text not null,
  key text not null,
  reading integer not null,
  primary key (source, kind, key)
);
