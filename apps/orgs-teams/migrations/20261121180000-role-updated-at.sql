-- When a role was last changed (spec §2.1). A replica that does not know it yet inserts roles that are new at that.
alter table role add column updated_at timestamptz not null default now();
update role set updated_at = created_at;
