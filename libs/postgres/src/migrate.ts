import type { Logger, Secret } from '@platform/service';

export interface MigrateOptions {
  readonly url: Secret | string;
  /** Folder with `20261121093000-what-it-does.sql` files, usually `apps/<service>/migrations`. */
  readonly directory: string | URL;
  /** The service's schema; must exist (see provision), holds its tables and the record of migrations. */
  readonly schema: string;
  readonly log?: Logger;
  /** How long to wait for another replica that migrates, in milliseconds; default 60,000. */
  readonly lockTimeout?: number;
}

export interface MigrateResult {
  /** Names of the files that were applied now, in order. */
  readonly applied: readonly string[];
}

/** Brings the schema to the state of the files, forward only. Several replicas may call it at once. */
export declare function migrate(options: MigrateOptions): Promise<MigrateResult>;
