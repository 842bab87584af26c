import type { Database } from '@platform/postgres';
import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Guard, Peers, RpcClient } from '@platform/rpc';
import type { OpenService, Sealer } from '@platform/service';
import type { Config } from './config.ts';

/** What the methods work with, made once in start.ts. A method takes what it needs of it. */
export interface Parts {
  readonly config: Config;
  readonly service: OpenService;
  /** How this service calls others. */
  readonly peers: Peers;
  readonly database: Database;
  readonly guard: Guard;
  readonly sealer: Sealer;
  /** Claims of standalone organizations, at orgs-teams. */
  readonly claims: RpcClient<typeof ClaimServiceService>;
}
