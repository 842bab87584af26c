-- The answers that are kept for clients who repeat a request (`Idempotency-Key`, open-points 18.8): the table that
-- @platform/writes fills. A migration of a service that makes things for its callers includes this file. No foreign keys: a
-- caller is authenticated before a kept answer is read.
create table if not exists kept_answer (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  -- The account of the caller.
  account_id bigint not null,
  -- The token by which it asked. Another one gets the answer only with the scope `all`: it may hold a secret.
  token_id bigint not null,
  -- SHA-256 of the key of the client with verb, path and query, and of the body.
  key bytea not null,
  body bytea not null,
  at timestamptz not null default now(),
  -- While a request that is answered in steps is under way: which one, and until when it may be.
  claim uuid,
  claimed_until timestamptz,
  -- Once it is answered: whether it is a refusal, and the sealed response or fault.
  refused boolean,
  sealed_by text,
  sealed_secret bytea,
  constraint kept_answer_key unique (account_id, key),
  constraint kept_answer_state check (
    num_nonnulls(claim, claimed_until) in (0, 2) and num_nonnulls(refused, sealed_by, sealed_secret) in (0, 3)
    and (claim is null) <> (refused is null)
  )
);
create index if not exists kept_answer_at on kept_answer (at);
create index if not exists kept_answer_sealed on kept_answer (sealed_by, id);
