-- Places (a product in a cluster of an owner) whose contracts or trial licences have changed. A note is added in the
-- transaction of the change, which must not wait for objects, nor grow with their number. Once it is committed, the
-- objects of the place are marked as due, a part at a time; then it is deleted (ADR 0121).
create table changed_terms (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  owner_id bigint not null,
  cluster_uid uuid not null,
  -- Alias of the product.
  product text not null,
  noted_at timestamptz not null default now(),
  -- How many parts are marked. Places with fewer parts come first, so no small one waits for a large one.
  parts integer not null default 0,
  -- Objects up to this `object_uid` are marked.
  marked_to text not null default ''
);
create index changed_terms_next on changed_terms (parts, id);
