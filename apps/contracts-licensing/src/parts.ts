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

/** The dependencies of the methods. */
export interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly sealer: Sealer;
  /** Changes rows in one transaction. First confirms that the call is still admitted. */
  readonly change: Change;
  /** Checks that a call is still admitted. Call this after a change in another service. `change` does this, too. */
  readonly renew: Guard['renew'];
  readonly products: Products;
  /** The fields of a contract that are not part of its revision. */
  readonly observed: Observed;
  readonly documents: Documents;
  readonly authorities: Authorities;
  readonly signatures: Signatures;
  /**
   * Lets the calls in this process record licences under the same contract one after the other. Used for licences that
   * bind a cluster to the contract or count towards the contract's quota of clusters.
   */
  readonly turns: Turns;
  /** Client of orgs-teams for accounts, their tokens and their bus credentials. */
  readonly accounts: RpcClient<typeof AdminServiceService>;
  /** Finds users and organizations by id or name. */
  readonly owners: Accounts;
}
