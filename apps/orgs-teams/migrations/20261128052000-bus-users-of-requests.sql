-- The request that a user of the bus was made for: a repeat revokes it, because nobody got its credentials (open-points 18.8).
alter table bus_user add column request uuid;
create unique index bus_user_of_request on bus_user (request) where request is not null and revoked_at is null;
