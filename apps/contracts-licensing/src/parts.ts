import type { Database } from '@platform/postgres';
import type { FindAccount } from './accounts/find-account.ts';
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
  /** Accounts as orgs-teams knows them at this moment. */
  readonly findAccount: FindAccount;
}
