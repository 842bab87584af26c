/** In each service's schema: what knex's migrator has applied. */
export const migrationTable = 'schema_migration';
/** In each service's schema: with which text it was applied. */
export const checksumTable = 'schema_migration_checksum';
