-- The last evaluation of each claim, and the window after it (open-points 11.5). All times are of this database, so that
-- replicas agree.
create table claim_check (
  -- Claim id, which orgs-teams knows.
  id text primary key,
  -- The evaluation, and by when it is given up if it has not ended.
  evaluation uuid not null,
  gives_up_at timestamptz not null,
  -- How it ended; null while it runs. The first two are final.
  result text,
  -- How long after its end nobody evaluates. It doubles with each evaluation.
  window_seconds integer not null,
  ended_at timestamptz,

  constraint claim_check_id check (id ~ '^[A-Z0-9]{26}$'),
  constraint claim_check_result check (
    result in ('claimable', 'claimed', 'not claimable', 'failed', 'too slow')
  ),
  constraint claim_check_ended check ((result is null) = (ended_at is null)),
  constraint claim_check_window check (window_seconds between 30 and 600)
);
