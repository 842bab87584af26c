-- Each issue of a licence looks for the contracts of an account that bind clusters themselves.
create index contract_by_auto_assign on contract (owner_id) where auto_assign_since is not null;
