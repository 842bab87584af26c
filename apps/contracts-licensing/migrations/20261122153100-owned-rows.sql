-- Closed owners are refused by the code that all services with owned rows share.
-- include: ../../../libs/owners/sql/owned-rows.sql

drop trigger contract_added on contract;
drop trigger contract_changed on contract;
drop function contract_added();
drop function contract_changed();
drop function refuse_closed_owners(bigint[]);
call guard_owned_rows('contract');
