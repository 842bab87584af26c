-- Events of subscriptions for webhooks (ADR 0270).
-- include: ../../../libs/facts/sql/event-outbox.sql

create function note_subscription() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_event(
    'subscription.state_changed', 'subscription:' || new.public_id,
    (select owner_id from installer where id = new.installer_id),
    jsonb_build_object('subscriptionID', new.public_id, 'marketplace', new.marketplace, 'state', new.state));
  return null;
end $$;
create trigger note_subscription_made after insert on subscription for each row execute function note_subscription();
create trigger note_subscription_state after update of state on subscription for each row
  when (old.state <> new.state) execute function note_subscription();
