-- The state that a subscription gets when its contracts are revoked; null: none are to be revoked. A failed revocation
-- shows `DeletionFailed` meanwhile, and the retry ends as the marketplace said (open-points 11.3). It takes the place of
-- `ends_deleted`. That column and `failed_before` have no reader from here on.
alter table subscription
  add column ends_as text,
  add constraint subscription_ends_as check (ends_as in ('Deleting', 'DeletionFailed', 'Deleted', 'Revoked'));
update subscription set ends_as = case when ends_deleted then 'Deleted' else state end where contracts = 'revocation_due';
