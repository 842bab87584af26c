-- Late events are metered for some time after the contracts are revoked. Null: they are not, or a version without this
-- column revoked them; then it was at `updated_at`.
alter table subscription add column revoked_at timestamptz;

-- All use is read whenever an hour is closed, so `metered_use` is unused from here on. A later release drops it.
