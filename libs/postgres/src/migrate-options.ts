import type { Logger, Secret } from '@platform/service';

/** What is migrated, and by which files. */
export interface MigrateOptions {
  /** As the role that owns the schema. */
  readonly url: Secret | string;
  /** Folder with `20261121093000-what-it-does.sql` files, usually `apps/<service>/migrations`. */
  readonly directory: string | URL;
  /** The service's schema; must exist (see provision), holds its tables and the record of migrations. */
  readonly schema: string;
  readonly log?: Logger;
  /** How long to wait for another replica that migrates, in milliseconds; default 60,000. */
  readonly lockTimeout?: number;
  /** Ends the wait for a connection or for another replica. A migration that has begun is brought to its end. */
  readonly signal?: AbortSignal;
}

/** In each service's schema: what knex's migrator has applied. */
export const migrationTable = 'schema_migration';
/** In each service's schema: with which text it was applied. */
export const checksumTable = 'schema_migration_checksum';
