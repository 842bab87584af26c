-- Files of documents (ADR 0112). A row is added before its file is stored and deleted after its file, so that none is
-- forgotten. A file that no contract names is removed: `stored_at` gives the change that will name it time to commit.
create table document_file (
  name text primary key,
  stored_at timestamptz not null default now(),

  constraint document_file_name check (name ~ '^[0-9a-f-]{36}([.][a-z0-9]{1,16})?$')
);

create index contract_by_document on contract (document) where document <> '';
