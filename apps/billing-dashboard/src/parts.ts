import type { Database } from '@platform/postgres';
import type { Config } from './config.ts';
import type { Ingest } from './ingest/ingest.ts';

/** What the methods work with, made once in start.ts. A method takes what it needs of it. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  /** The way of events into the store. */
  readonly ingest: Ingest;
}
