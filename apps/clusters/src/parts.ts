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

/** What the methods work with, made once in start.ts. A method takes what it needs of it. */
export interface Parts {
  readonly config: ClustersConfig;
  readonly database: Database;
  /** The one way to change rows. */
  readonly write: Write<never>;
  /** Seals kubeconfigs. */
  readonly sealer: Sealer;
  /** Accounts as orgs-teams knows them at this moment. */
  readonly accounts: Accounts;
  readonly users: RpcClient<typeof AdminServiceService>;
  /** Accounts of client organizations. */
  readonly clientAccounts: RpcClient<typeof ClientOrganizationAdminServiceService>;
  /** Where clusters may be. */
  readonly outbound: JudgedAddresses;
  readonly hubs: Hubs;
  /** Custom resource definitions that a hub needs, in YAML. */
  readonly definitions: readonly string[];
  readonly contracts: RpcClient<typeof ContractLookupServiceService>;
}
