-- Events of other services (ADR 0270).
alter table webhook
  -- Scopes of the token that made or last changed the endpoint. Earlier kinds of events demand no others than these.
  add column scopes text[] not null default '{read:organization}';

alter table webhook_delivery
  -- Null: no organization, but a user, owns what the event is about, or nobody.
  alter column organization_id drop not null,
  -- Why it was given up; null: it was not.
  add column reason text,
  add constraint webhook_delivery_reason check (reason in ('failing', 'gone', 'rights_lost', 'scope_missing'));

-- A service that got no answer hands an event over again.
create unique index webhook_delivery_once on webhook_delivery (webhook_id, event_id);
