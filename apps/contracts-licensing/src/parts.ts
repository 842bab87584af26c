import type { Database } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { RpcClient } from '@platform/rpc';
import type { FindAccount } from './accounts/find-account.ts';
import type { Authorities } from './authorities/authorities.ts';
import type { Config } from './config.ts';
import type { Products } from './products/products.ts';
import type { Change } from './change.ts';

/** What the methods work with, made once in start.ts. A method takes what it needs of it. */
export interface Parts {
  readonly config: Config;
  readonly database: Database;
  /** The one way to change rows. */
  readonly change: Change;
  readonly products: Products;
  /** They sign licences. */
  readonly authorities: Authorities;
  /** Accounts, their tokens and credentials, at orgs-teams. */
  readonly accounts: RpcClient<typeof AdminServiceService>;
  /** Accounts as orgs-teams knows them at this moment. */
  readonly findAccount: FindAccount;
}
