-- How a change came, and from where: for the table of audit.sql. Empty for changes from before.
alter table audit
  add column via text not null default '',
  add column address text not null default '',
  add constraint audit_via check (via in ('', 'token', 'session', 'cli', 'service'));
