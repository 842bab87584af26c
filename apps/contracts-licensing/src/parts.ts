import type { Accounts } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Guard, Observed, RpcClient } from '@platform/rpc';
import type { Logger, Sealer } from '@platform/service';
import type { Authorities } from './authorities/authorities.ts';
import type { Config } from './config.ts';
import type { Documents } from './documents/documents.ts';
import type { Products } from './products/products.ts';
import type { Change } from './change.ts';
import type { Signatures } from './licences/signatures.ts';
import type { Turns } from './licences/turns.ts';

/** The dependencies of the methods. Each method takes the dependencies that it needs. */
export interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly sealer: Sealer;
  /** The only way to change rows. */
  readonly change: Change;
  /** Checks again that a caller is still admitted. Call it after effects in other services: no rollback undoes them. */
  readonly renew: Guard['renew'];
  readonly products: Products;
  /** The fields of a contract that are not part of its revision. */
  readonly observed: Observed;
  readonly documents: Documents;
  readonly authorities: Authorities;
  readonly signatures: Signatures;
  /** Lets calls that count clusters for a quota wait for each other, by contract. */
  readonly turns: Turns;
  /** Accounts, their tokens and credentials, from orgs-teams. */
  readonly accounts: RpcClient<typeof AdminServiceService>;
  /** Users and organizations. */
  readonly owners: Accounts;
}
