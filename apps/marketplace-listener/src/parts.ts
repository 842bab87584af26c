import type { Accounts } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import type { SubscriptionContractServiceService } from '@platform/proto/contracts/v1/subscription';
import type { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import type { Guard, Peers, RpcClient } from '@platform/rpc';
import type { Deadline, OpenService, Sealer } from '@platform/service';
import type { Write } from '@platform/writes';
import type { Config } from './config.ts';
import type { AddressList } from './metering/address-list.ts';
import type { CircuitBreaker } from './metering/circuit-breaker.ts';
import type { Providers } from './providers/open-providers.ts';
import type { Applications } from './subscriptions/fetch-group.ts';

/** The dependencies of the methods, created once in start.ts. Each method takes the dependencies that it needs. */
export interface Parts {
  readonly config: Config;
  readonly service: OpenService;
  /** How this service calls other services. */
  readonly peers: Peers;
  readonly database: Database;
  readonly guard: Guard;
  readonly sealer: Sealer;
  /** Claims of standalone organizations, at orgs-teams. */
  readonly claims: RpcClient<typeof ClaimServiceService>;
  /** Contracts of subscriptions, at contracts-licensing. */
  readonly contracts: RpcClient<typeof SubscriptionContractServiceService>;
  /** Users and organizations. */
  readonly owners: Accounts;
  /** The only way to change rows for callers. */
  readonly write: Write<never>;
  /** Usage, at billing-dashboard. */
  readonly usage: RpcClient<typeof UsageLookupServiceService>;
  /** The clients of the providers. */
  readonly providers: Providers;
  /** Refuses usage reports to receivers that were too slow. */
  readonly breaker: CircuitBreaker;
  /** The address ranges that provider A publishes, as last fetched. */
  readonly addressList: AddressList;
  /** Applications at provider B; undefined without client credentials. */
  readonly applications: Applications | undefined;
  /** Returns the stored address ranges of provider A. */
  readonly publishedRanges: (deadline: Deadline) => Promise<readonly string[]>;
}
