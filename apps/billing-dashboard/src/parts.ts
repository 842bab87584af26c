import type { Bus } from '@platform/bus';
import type { Accounts } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { RpcClient } from '@platform/rpc';
import type { Sealer } from '@platform/service';
import type { Write } from '@platform/writes';
import type { Config } from './config.ts';
import type { Typeset } from './documents/typeset.ts';
import type { Ingest } from './ingest/ingest.ts';
import type { RawEvents } from './ingest/raw-events.ts';

/** What the methods work with, made once in start.ts. A method takes what it needs of it. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  /** The way of events into the store. */
  readonly ingest: Ingest;
  /** What events say in full. */
  readonly rawEvents: RawEvents;
  /** Undefined where the platform has none. */
  readonly bus: Bus | undefined;
  /** Users and organizations as orgs-teams knows them. */
  readonly accounts: Accounts;
  /** The one way to change rows for callers. */
  readonly write: Write<never>;
  /** Of kept answers. */
  readonly sealer: Sealer;
  /** Branding, kept by orgs-teams. */
  readonly settings: RpcClient<typeof SettingsServiceService>;
  readonly typeset: Typeset;
}
