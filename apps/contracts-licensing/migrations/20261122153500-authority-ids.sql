-- By which `platform admin keys rotate` goes through the authorities, as through every table of secrets.
alter table license_authority add column id bigint generated always as identity;
-- Contracts that end soon are looked for every half minute.
create index contract_by_end on contract (ends_at) where revoked_at is null;
