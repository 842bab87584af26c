-- Authorities that sign licences (open-points 6.1): at most two are trusted, one of them signs. A removed one keeps its
-- row without its key, so that the setting `license.ca` does not bring it back at the next start.
create table license_authority (
  -- SHA-256 of the certificate's DER, in hexadecimal.
  fingerprint text primary key,
  -- PEM.
  certificate text not null,
  -- PKCS#8 key, sealed for `license_authority/{fingerprint}` (libs/service, sealing); null where it is not known.
  sealed_by text,
  sealed_key bytea,
  -- Its place among those that are trusted; null when it is not.
  place smallint unique,
  signs boolean not null default false,
  added_at timestamptz not null default now(),

  constraint license_authority_fingerprint check (fingerprint ~ '^[0-9a-f]{64}$'),
  constraint license_authority_sealed check ((sealed_by is null) = (sealed_key is null)),
  constraint license_authority_place check (place in (1, 2)),
  constraint license_authority_signs check (not signs or place is not null and sealed_key is not null)
);
create unique index license_authority_that_signs on license_authority (signs) where signs;
