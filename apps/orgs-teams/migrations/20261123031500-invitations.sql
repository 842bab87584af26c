-- Users whom the creation of a client organization made have no way to sign in yet: each gets a link by mail, valid for 7
-- days, for one access token (open-points 4.1).
create table invitation (
  user_id bigint primary key references account (id) on delete cascade,
  -- In whole seconds, because its link is signed with them.
  expires_at timestamptz not null default date_trunc('second', now()) + interval '7 days',
  accepted_at timestamptz
);
