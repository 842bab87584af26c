import type { Database } from '@platform/postgres';
import type { FileStore, SignedLinks } from '@platform/files';
import type { Outbound } from '@platform/outbound';
import type { Guard, GuardSources, OwnerPeer } from '@platform/rpc';
import type { Logger, Sealer } from '@platform/service';
import type { BusAccounts } from './bus/bus-accounts.ts';
import type { Config } from './config.ts';
import type { BuiltInPictures } from './pictures/built-in.ts';
import type { Images } from './pictures/images.ts';
import type { Providers } from './oidc/providers.ts';
import type { Engine } from './projection/engine.ts';
import type { Projection } from './projection/projection.ts';
import type { ResolveStanding } from './standing/identity.ts';
import type { Write } from './write/write.ts';

/** The dependencies of all methods, created once in start.ts. */
export interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  /** The write path. A request must make each audited change through this function. */
  readonly write: Write;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly bus: BusAccounts;
  readonly standing: ResolveStanding;
  /** Like `standing`, but may answer from memory under a lease (leases.md). */
  readonly known: ResolveStanding;
  readonly projection: Projection;
  readonly engine: Engine;
  /** Asks the engine (OpenFGA, through authz) as the guard does, but keeps no answers. */
  readonly ask: GuardSources['ask'];
  /** The other services that store objects of accounts (authorization.md W5). */
  readonly ownerServices: readonly OwnerPeer[];
  /** Functions that find an object and its owner, by object type. They cover this service and `ownerServices`. */
  readonly objects: GuardSources['objects'];
  /** Finds relations of the caller, for methods that need more than the check of their access rule. */
  readonly guard: Guard;
  /** Signs and checks the links that invite the owners of client organizations. A link contains the id of the user. */
  readonly invitations: SignedLinks;
  readonly providers: Providers;
  readonly files: FileStore;
  readonly images: Images;
  readonly builtIn: () => Promise<BuiltInPictures>;
}
