-- Wakes the loop that publishes changes whose call did not publish them, so that the loop need not poll (leases.md L6).
create trigger lease_change_notice after insert on lease_change
  for each statement execute function notify_schema('leases');
