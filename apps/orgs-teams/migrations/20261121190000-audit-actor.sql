-- What somebody did is asked for by his name: it outlives the account.
create index audit_of_actor_name on audit (lower(actor collate "C"), id);
