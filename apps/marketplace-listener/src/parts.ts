import type { Accounts } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import type { SubscriptionContractServiceService } from '@platform/proto/contracts/v1/subscription';
import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Guard, Peers, RpcClient } from '@platform/rpc';
import type { OpenService, Sealer } from '@platform/service';
import type { Write } from '@platform/writes';
import type { Config } from './config.ts';
import type { AddressList } from './metering/address-list.ts';
import type { CircuitBreaker } from './metering/circuit-breaker.ts';
import type { Providers } from './providers/open-providers.ts';

/** The dependencies of methods and jobs, created once in start.ts. */
export interface Parts {
  readonly config: Config;
  readonly service: OpenService;
  readonly peers: Peers;
  readonly database: Database;
  readonly guard: Guard;
  readonly sealer: Sealer;
  readonly claims: RpcClient<typeof ClaimServiceService>;
  readonly contracts: RpcClient<typeof SubscriptionContractServiceService>;
  readonly owners: Accounts;
  /** The write path, for changes on behalf of a caller. */
  readonly write: Write<never>;
  readonly usage: RpcClient<typeof UsageLookupServiceService>;
  readonly providers: Providers;
  readonly breaker: CircuitBreaker;
  /** The address ranges that provider A publishes, as last fetched. */
  readonly addressList: AddressList;
}
