import type { JudgedAddresses } from '@platform/kubernetes';
import type { Accounts } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { ContractLookupServiceService } from '@platform/proto/contracts/v1/lookup';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import type { RpcClient } from '@platform/rpc';
import type { Sealer } from '@platform/service';
import type { Write } from '@platform/writes';
import type { ClustersConfig } from './config.ts';
import type { Hubs } from './hubs/hubs.ts';

/** The dependencies of the handlers and jobs, created once in start.ts. */
export interface Parts {
  readonly config: ClustersConfig;
  readonly database: Database;
  /** The write path, for changes in the name of a caller. */
  readonly write: Write<never>;
  readonly sealer: Sealer;
  readonly accounts: Accounts;
  readonly users: RpcClient<typeof AdminServiceService>;
  readonly clientAccounts: RpcClient<typeof ClientOrganizationAdminServiceService>;
  /** Connects only to addresses that the settings `clusters.deniedCIDRs` and `clusters.allowedCIDRs` permit. */
  readonly outbound: JudgedAddresses;
  readonly hubs: Hubs;
  /** Custom resource definitions that the import of a hub installs, in YAML. */
  readonly definitions: readonly string[];
  readonly contracts: RpcClient<typeof ContractLookupServiceService>;
}
