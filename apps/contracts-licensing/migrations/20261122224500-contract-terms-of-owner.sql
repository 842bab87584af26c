-- Lists of an owner's contracts are counted by their times: from the index alone, without the rows, which are wide.
create index contract_terms_of_owner on contract (owner_id, id) include (starts_at, ends_at, revoked_at, allow_offline);
drop index contract_of_owner;
