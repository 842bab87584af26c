-- Tokens that are bound to a scope: only methods that name the scope accept them (open-points 9.1). A scope has at most
-- one token in each slot.
alter table access_token
  add column scope text not null default '',
  add column slot text not null default '',
  add constraint access_token_scope check (length(scope) <= 200 and length(slot) <= 50 and (scope = '') = (slot = ''));
create unique index access_token_of_scope on access_token (scope, slot) where scope <> '';
