-- Names of roles are compared after NFC and full case folding (open-points 2.7). Roles of an organization whose names are
-- now equal keep them apart by their ids; the oldest one keeps its name.
update role
   set name = btrim(left(name, 97 - length(id::text))) || ' (' || id || ')'
 where exists (
   select from role older
    where older.organization_id = role.organization_id and older.id < role.id
      and casefold(normalize(older.name, nfc) collate pg_unicode_fast) = casefold(normalize(role.name, nfc) collate pg_unicode_fast)
 );
drop index role_name;
create unique index role_name on role (organization_id, casefold(normalize(name, nfc) collate pg_unicode_fast));
