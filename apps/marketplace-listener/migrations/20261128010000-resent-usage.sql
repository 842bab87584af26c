-- The operator has use that was given up counted anew: the last bucket of its dimension then counts less, so that the
-- next hour holds it.
alter table usage_bucket
  drop constraint usage_bucket_quantity,
  drop constraint usage_bucket_state;
alter table usage_bucket
  add constraint usage_bucket_quantity check (quantity > 0 and counted >= 0),
  add constraint usage_bucket_state check (state in ('waiting', 'accepted', 'expired', 'resent'));
create index usage_bucket_expired on usage_bucket (subscription_id) where state = 'expired';
