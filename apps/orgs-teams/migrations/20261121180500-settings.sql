-- Settings of the site that people change while it runs (open-points 10). One row; null stands for the default, which is
-- the program's to know.
create table site_setting (
  single boolean primary key default true check (single),
  -- Names the state of the branding: what a replica keeps in memory is good while the row says the same.
  branding_revision uuid not null default gen_random_uuid(),
  -- In whole seconds and growing with each change, so that Last-Modified tells any two states apart.
  branding_changed_at timestamptz not null default date_trunc('second', now()),
  -- Data URI.
  logo text,
  -- Size (`32x32`) to data URI.
  favicons jsonb,
  primary_color text,
  show_app_tag boolean,
  app_name text,
  -- Sorted by code point; empty: every domain may sign up.
  allowed_domains text[] not null default '{}',
  registration_disabled boolean not null default false,

  constraint site_setting_primary_color check (primary_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint site_setting_app_name check (length(app_name) between 1 and 50)
);
insert into site_setting default values;
