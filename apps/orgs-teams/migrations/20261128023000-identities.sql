-- People at providers of OpenID Connect (open-points 18.3): a subject is bound to an account once.
create table identity (
  issuer text not null,
  -- Names the person at the issuer; addresses change and are given to others.
  subject text not null,
  account_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),

  primary key (issuer, subject),
  -- Another subject of the issuer with the same address is somebody else.
  constraint identity_of_account unique (account_id, issuer),
  constraint identity_texts check (length(issuer) <= 1000 and length(subject) between 1 and 255)
);

-- States of flows that came back, as keyed hashes: each comes back once.
create table spent_state (
  hash bytea primary key,
  spent_at timestamptz not null default now(),

  constraint spent_state_hash_length check (length(hash) = 32)
);
create index spent_state_at on spent_state (spent_at);
