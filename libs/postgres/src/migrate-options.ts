import type { Logger, Secret } from '@platform/service';

export interface MigrateOptions {
  /** Connection URL. Its role must own the schema. */
  readonly url: Secret | string;
  /** Folder with `20261121093000-what-it-does.sql` files, usually `apps/<service>/migrations`. */
  readonly directory: string | URL;
  /** The schema of the service. It must exist (see `provision`). It also contains the tables that record migrations. */
  readonly schema: string;
  readonly log?: Logger;
  /** How long to wait while another replica migrates, in milliseconds; default 60,000. */
  readonly lockTimeout?: number;
  /** Ends the wait for a connection or for another replica. A migration that has begun is completed. */
  readonly signal?: AbortSignal;
  /** Called before each file is applied. Of the `all` files that were pending, `done` files are applied already. */
  readonly applying?: (file: string, done: number, all: number) => void;
}

/** Table in each service's schema: the migrations that knex has applied. */
export const migrationTable = 'schema_migration';
/** Table in each service's schema: the checksum of each migration as it was applied. */
export const checksumTable = 'schema_migration_checksum';
