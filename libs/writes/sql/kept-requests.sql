-- The id that a request which is answered in several steps shares with its repeats (@platform/writes `repeatedRequest`):
-- what a step has made under it is found again.
alter table kept_answer add column if not exists request uuid not null default gen_random_uuid();
-- `body` is a keyed hash since then: an HMAC of the hash of the body, of the account, and of what its token was made for.
