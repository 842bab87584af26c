import type { Secret } from '@platform/service';

export interface ProvisionOptions {
  /** A role that may create roles and databases. */
  readonly superuserUrl: Secret | string;
  /** Made if missing. */
  readonly database: string;
  /** Names of services, e.g. `orgs-teams`; schema is the name in snake case, role `{database}_{schema}`. */
  readonly services: readonly ServiceAccess[];
}

export interface ServiceAccess {
  readonly service: string;
  /** Kept by the caller; generated when absent (an existing role then gets the new one). */
  readonly password?: Secret;
}

export interface ProvisionedService {
  readonly service: string;
  readonly schema: string;
  readonly role: string;
  readonly password: Secret;
  /** `postgres://role:password@host:port/database`. */
  readonly url: Secret;
}

/** Makes database, roles and schemas that are missing; repeatable. A role can use its own schema only. */
export declare function provision(options: ProvisionOptions): Promise<readonly ProvisionedService[]>;
/** Makes a role and a database it owns, for a server with tables of its own (OpenFGA); repeatable. */
export declare function provisionDatabase(options: {
  readonly superuserUrl: Secret | string;
  readonly database: string;
  readonly role: string;
  readonly password?: Secret;
}): Promise<{ readonly url: Secret; readonly password: Secret }>;
/** A copy of a database nobody is connected to; milliseconds for a small one. Answers its URL for the same role as `url`. */
export declare function createDatabaseFromTemplate(options: {
  readonly superuserUrl: Secret | string;
  readonly template: string;
  readonly name: string;
}): Promise<void>;
/** Drops a database, and ends whoever is still connected. Missing is fine. */
export declare function dropDatabase(options: { readonly superuserUrl: Secret | string; readonly name: string }): Promise<void>;
