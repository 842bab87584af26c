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

/** The dependencies of the methods, created once in start.ts. Each method takes the dependencies that it needs. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly ingest: Ingest;
  readonly rawEvents: RawEvents;
  /** Undefined on a platform without a bus. */
  readonly bus: Bus | undefined;
  readonly accounts: Accounts;
  readonly write: Write<never>;
  /** Re-encrypts the stored answers to requests with an `Idempotency-Key` (`platform admin keys rotate`). */
  readonly sealer: Sealer;
  /** Client of orgs-teams, which stores the branding. */
  readonly settings: RpcClient<typeof SettingsServiceService>;
  readonly typeset: Typeset;
}
