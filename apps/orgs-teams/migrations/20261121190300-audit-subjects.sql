-- Accounts something was done to, where `object` does not name them: who came into a team, whose token was revoked.
alter table audit add column subject_ids bigint[] not null default '{}';
create index audit_of_subject on audit using gin (subject_ids) where subject_ids <> '{}';

-- Who is gone is found by the name he had.
create index audit_of_deleted_name on audit (lower((details ->> 'name') collate "C"))
  where action in ('user.delete', 'organization.delete');
