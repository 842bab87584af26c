-- The request of another service that a token was made for: a repeat replaces it.
alter table access_token add column request uuid;
create unique index access_token_of_request on access_token (request) where request is not null;
